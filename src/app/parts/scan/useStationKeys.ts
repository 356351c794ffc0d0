import { useEffect, useRef } from 'react';
import { hasOpenDialog, isTextField } from '#app/parts/scan/editable.ts';

export interface StationKeys {
  submit: () => void;
  undo: () => void;
  closeVerdict: () => void;
}

/** Ctrl+Enter submits, Ctrl+Z takes the last scan back, Esc closes the verdict; nothing while a dialog is open. */
export function useStationKeys(keys: StationKeys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (hasOpenDialog() || event.defaultPrevented) return;
      const control = event.ctrlKey || event.metaKey;
      if (control && event.key === 'Enter') act(event, latest.current.submit);
      if (control && event.key.toLowerCase() === 'z' && !isBeingWritten(event.target)) act(event, latest.current.undo);
      if (event.key === 'Escape') latest.current.closeVerdict();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

function act(event: KeyboardEvent, deed: () => void): void {
  event.preventDefault();
  deed();
}

/** In a field that holds text, Ctrl+Z takes back letters. */
const isBeingWritten = (target: EventTarget | null): boolean => isTextField(target) && target.value !== '';
