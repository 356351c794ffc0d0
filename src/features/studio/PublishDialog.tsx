import type { DialogProps } from '#app/parts/dialog.ts';
import { PublishModal } from './PublishModal.tsx';

/** Publishes the selected draft. */
export default function PublishDialog({ rows, onDone, onClose }: DialogProps) {
  const [row] = rows;
  if (!row) return null;
  return (
    <PublishModal
      id={row.id}
      version={Number(row['version'])}
      onDone={() => {
        onDone();
        onClose();
      }}
      onClose={onClose}
    />
  );
}
