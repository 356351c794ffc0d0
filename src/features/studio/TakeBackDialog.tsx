import type { DialogProps } from '#app/parts/dialog.ts';
import { TakeBackModal } from './TakeBackModal.tsx';

/** Takes the selected publish back. */
export default function TakeBackDialog({ rows, onDone, onClose }: DialogProps) {
  const [row] = rows;
  if (!row) return null;
  return (
    <TakeBackModal
      id={row.id}
      onDone={() => {
        onDone();
        onClose();
      }}
      onClose={onClose}
    />
  );
}
