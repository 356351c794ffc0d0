import type { ReactNode } from 'react';
import Box from '@mui/material/Box';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import { DownloadHint } from '#app/parts/DownloadHint.tsx';
import type { modalWidths } from '#app/parts/Modal.tsx';

interface ExportFrameProps {
  title: string;
  about?: string;
  /** What is wrong with what was entered. */
  problem: string;
  action: string;
  busy: boolean;
  width?: keyof typeof modalWidths;
  /** Another action, quieter than the export. */
  more?: ReactNode;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** An export's dialog: its inputs, and the hint where long exports end up. Rule: reports#dialogs. */
export const ExportFrame = ({ about, busy, children, ...modal }: ExportFrameProps) => (
  <ActionModal {...modal} sending={busy}>
    {about && <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{about}</Box>}
    {children}
    <DownloadHint />
  </ActionModal>
);
