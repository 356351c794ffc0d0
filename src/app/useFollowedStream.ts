import { useEffect } from 'react';

/** Whether somebody may look at this window: a browser has few connections to one address, and leaves them to those in front. */
export const isInSight = (): boolean => document.visibilityState !== 'hidden';

/** Follows a stream while `isOn`, and tells it when the network or the eyes come or go. */
export function useFollowedStream(
  { start, wake, stop }: { start: () => void; wake: () => void; stop: () => void },
  isOn = true,
): void {
  useEffect(() => {
    if (!isOn) return undefined;
    start();
    window.addEventListener('online', wake);
    window.addEventListener('offline', wake);
    document.addEventListener('visibilitychange', wake);
    return () => {
      window.removeEventListener('online', wake);
      window.removeEventListener('offline', wake);
      document.removeEventListener('visibilitychange', wake);
      stop();
    };
  }, [start, wake, stop, isOn]);
}
