import { useEffect, useState } from 'react';

/** Whether there is a camera now. A browser gives it over a secure connection alone. */
export function useHasCamera(): boolean {
  const [hasCamera, setHasCamera] = useState(false);
  useEffect(() => {
    // Missing over plain http, whatever the types say.
    const devices = window.isSecureContext ? (navigator.mediaDevices as MediaDevices | undefined) : undefined;
    if (!devices) return undefined;
    let isGone = false;
    const look = async () => {
      const all = await devices.enumerateDevices().catch(() => []);
      if (!isGone) setHasCamera(all.some((it) => it.kind === 'videoinput'));
    };
    void look();
    const onChange = () => void look();
    devices.addEventListener('devicechange', onChange);
    return () => {
      isGone = true;
      devices.removeEventListener('devicechange', onChange);
    };
  }, []);
  return hasCamera;
}
