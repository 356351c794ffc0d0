import { useEffect, useState } from 'react';

/** True once so many milliseconds have passed: what comes sooner than that shows no sign of waiting. */
export function useDelay(milliseconds: number): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsOver(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds]);
  return isOver;
}
