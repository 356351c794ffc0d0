import { useState, type KeyboardEvent } from 'react';
import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import ChevronLeft from '@mui/icons-material/ChevronLeft';
import ChevronRight from '@mui/icons-material/ChevronRight';
import Close from '@mui/icons-material/Close';
import ZoomIn from '@mui/icons-material/ZoomIn';
import ZoomOut from '@mui/icons-material/ZoomOut';
import { useTranslate } from 'ra-core';
import { fileAddress } from '#app/fileAddress.ts';
import { IconAction } from '#app/parts/IconAction.tsx';

interface Props {
  urls: readonly string[];
  /** Which of them is shown; null: closed. */
  shown: number | null;
  onShow: (shown: number | null) => void;
  label: string;
}

const ZOOMS = [1, 1.5, 2, 3, 4] as const;

/** Pictures one after the other, as large as wanted: arrows turn, plus and minus zoom, Escape closes. */
export function Lightbox({ urls, shown, onShow, label }: Props) {
  const translate = useTranslate();
  const [step, setStep] = useState(0);
  const url = shown === null ? undefined : urls[shown];
  const zoom = ZOOMS[step] ?? 1;
  const close = () => {
    setStep(0);
    onShow(null);
  };
  const turn = (by: number) => {
    if (shown === null || urls.length < 2) return;
    setStep(0);
    onShow((shown + by + urls.length) % urls.length);
  };
  const magnify = (by: number) => setStep((it) => Math.min(ZOOMS.length - 1, Math.max(0, it + by)));
  const onKeyDown = (event: KeyboardEvent) => {
    const action = {
      ArrowLeft: () => turn(-1),
      ArrowRight: () => turn(1),
      '+': () => magnify(1),
      '=': () => magnify(1),
      '-': () => magnify(-1),
      '0': () => setStep(0),
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
  return (
    <Dialog
      open={url !== undefined}
      onClose={close}
      maxWidth="lg"
      slotProps={{ paper: { 'aria-label': label } }}
      onClick={(event) => event.stopPropagation()}
      onKeyDown={onKeyDown}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', p: 2, gap: 1 }}>
        <Box role="status" sx={{ mr: 'auto', pl: 2, fontWeight: 600 }}>
          {label} {(shown ?? 0) + 1} / {urls.length}
        </Box>
        <IconAction
          label={translate('shell.picture.zoomOut')}
          Icon={ZoomOut}
          disabled={step === 0}
          onClick={() => magnify(-1)}
        />
        <IconAction
          label={translate('shell.picture.zoomIn')}
          Icon={ZoomIn}
          disabled={step === ZOOMS.length - 1}
          onClick={() => magnify(1)}
        />
        <IconAction
          label={translate('shell.detail.previous')}
          Icon={ChevronLeft}
          disabled={urls.length < 2}
          onClick={() => turn(-1)}
        />
        <IconAction
          label={translate('shell.detail.next')}
          Icon={ChevronRight}
          disabled={urls.length < 2}
          onClick={() => turn(1)}
        />
        <IconAction label={translate('ra.action.close')} Icon={Close} onClick={close} />
      </Box>
      {url && (
        <Box sx={{ overflow: 'auto', maxHeight: 'calc(100dvh - 160px)' }}>
          <Box
            component="img"
            src={fileAddress(url)}
            alt={`${label} ${(shown ?? 0) + 1}`}
            onClick={() => (step === 0 ? magnify(2) : setStep(0))}
            sx={{
              display: 'block',
              mx: 'auto',
              cursor: step === 0 ? 'zoom-in' : 'zoom-out',
              ...(zoom === 1
                ? { maxWidth: '100%', maxHeight: 'calc(100dvh - 160px)' }
                : { width: `${zoom * 100}%`, maxWidth: 'none' }),
            }}
          />
        </Box>
      )}
    </Dialog>
  );
}
