import type { DialogProps } from '#app/parts/dialog.ts';
import { RebindDialog } from './RebindDialog.tsx';

/** The parts of a device that waits to be shipped, away from the station that ships it. Rule: events#e27. */
export default function MakeUpDialog({ rows: [row], onDone, onClose }: DialogProps) {
  const done = () => {
    onDone();
    onClose();
  };
  return <RebindDialog sn={String(row?.['sn'])} onBound={done} onClose={onClose} />;
}
