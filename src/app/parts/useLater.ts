import { useEffect, useState } from 'react';

const PAUSE = 200;

/** What has been typed, once nobody types on. */
export function useLater(text: string): string {
  const [later, setLater] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setLater(text), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return later;
}
