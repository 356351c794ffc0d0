import type { ReactNode } from 'react';
import Box from '@mui/material/Box';
import UploadFile from '@mui/icons-material/UploadFile';
import { useTranslate } from 'ra-core';
import { FileButton } from '#app/parts/FileButton.tsx';
import { DropZone } from '#app/parts/DropZone.tsx';

interface Props {
  label: string;
  /** The endings that are taken, without their dots. */
  accept: readonly string[];
  many?: boolean;
  disabled?: boolean;
  /** A file was chosen, dropped or pasted; none when the chooser was closed without one. */
  onFiles: (files: File[]) => void;
  /** What the bounds are, below the button. */
  hint: string;
  children?: ReactNode;
}

/** A framed place for papers: a button that opens the chooser, and the frame to drop on. */
export function FileChoice({ label, accept, many = false, disabled = false, onFiles, hint, children }: Props) {
  return (
    <DropZone framed disabled={disabled} onFiles={onFiles}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, flexWrap: 'wrap' }}>
        <FileButton
          label={label}
          icon={<UploadFile />}
          accept={accept}
          many={many}
          disabled={disabled}
          onFiles={onFiles}
        />
        <Box component="span" sx={{ fontSize: 12, color: 'text.secondary' }}>
          {hint}
        </Box>
      </Box>
      {children}
    </DropZone>
  );
}

/** What was chosen, or what else can be done to choose. */
export function ChosenFile({ file }: { file: File | null }) {
  const translate = useTranslate();
  return (
    <Box
      sx={{
        mt: 3,
        minHeight: 24,
        overflowWrap: 'anywhere',
        ...(file ? { fontWeight: 600 } : { fontSize: 12, color: 'text.secondary' }),
      }}
    >
      {file?.name ?? translate('shell.upload.drop')}
    </Box>
  );
}
