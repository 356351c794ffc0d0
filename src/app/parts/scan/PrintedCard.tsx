import type { ReactNode } from 'react';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import GlobalStyles from '@mui/material/GlobalStyles';
import { useTranslate } from 'ra-core';
import { Barcode } from '#app/parts/Barcode.tsx';
import { printSx } from '#app/parts/scan/printSx.ts';

interface Props {
  title: string;
  onClose: () => void;
  /** What is printed begins with a title of its own. */
  hasOwnTitle?: boolean;
  children: ReactNode;
}

/** A card for the place of a scanner: looked at in a dialog, and printed from there without it. */
export function PrintedCard({ title, onClose, hasOwnTitle = false, children }: Props) {
  const translate = useTranslate();
  return (
    <Dialog open onClose={onClose} maxWidth="md" fullWidth data-print="">
      <GlobalStyles styles={printSx} />
      <DialogTitle {...(hasOwnTitle && { 'data-no-print': '' })}>{title}</DialogTitle>
      <DialogContent tabIndex={0}>{children}</DialogContent>
      <DialogActions data-no-print="">
        <Button onClick={onClose}>{translate('stations.close')}</Button>
        <Button variant="contained" onClick={() => window.print()}>
          {translate('stations.command.print')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

export const cardBoxSx = { border: 1, borderColor: 'divider', borderRadius: 1, breakInside: 'avoid' } as const;

interface BarcodeProps {
  text: string;
  /** How wide its thinnest line is, in pixels. */
  line: number;
  isGs1?: boolean;
  sx?: object;
  /** What stands below it. */
  children: ReactNode;
}

/** A barcode of a card; black on white in the dark as well: a scanner reads nothing else. */
export const CardBarcode = ({ text, line, isGs1, sx, children }: BarcodeProps) => (
  <Box component="figure" sx={{ ...cardBoxSx, m: 0, p: 2, bgcolor: '#fff', color: '#000', ...sx }}>
    <Barcode text={text} height={44} line={line} margin={12} isGs1={isGs1} />
    <Box component="figcaption" sx={{ textAlign: 'center', fontSize: 13 }}>
      {children}
    </Box>
  </Box>
);
