import { useState } from 'react';
import { useUser } from '#app/session.ts';

/** Of this workplace, whoever works at it. */
const STORAGE_KEY = 'labelPrinter';

/** The label printer of this workplace; empty, the browser's print dialog. Rule: labels#printers. */
export function useLabelPrinter() {
  const printers = useUser()?.labelPrinters ?? [];
  const [chosen, setChosen] = useState(() => localStorage.getItem(STORAGE_KEY) ?? '');
  const choose = (printer: string) => {
    localStorage.setItem(STORAGE_KEY, printer);
    setChosen(printer);
  };
  // One that was taken out of the setting is nobody's choice any more.
  return { printers, printer: printers.includes(chosen) ? chosen : '', choose };
}
