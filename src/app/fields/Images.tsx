import { useState } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Dialog from '@mui/material/Dialog';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import ChevronLeft from '@mui/icons-material/ChevronLeft';
import ChevronRight from '@mui/icons-material/ChevronRight';
import Close from '@mui/icons-material/Close';
import { configuration } from '#app/configuration.ts';

interface ImagesProps {
  urls: readonly string[];
  label: string;
  /** Edge of a thumbnail. */
  size?: number;
}

const isText = (url: string) => /\.txt$/i.test(url);
const addressOf = (url: string) => (url.startsWith('/') ? configuration.baseUrl + url : url);

/** Thumbnails that enlarge, one after the other; a `.txt` among them is a link. */
export function Images({ urls, label, size = 96 }: ImagesProps) {
  const translate = useTranslate();
  const pictures = urls.filter((it) => !isText(it));
  const [shown, setShown] = useState<number | null>(null);
  const url = shown === null ? undefined : pictures[shown];
  const turn = (by: number) => setShown((it) => (it === null ? null : (it + by + pictures.length) % pictures.length));
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center' }}>
      {pictures.map((it, i) => (
        <ButtonBase
          key={it}
          aria-label={translate('shell.detail.photo', { number: i + 1 })}
          onClick={(event) => {
            event.stopPropagation();
            setShown(i);
          }}
          sx={{ width: size, height: size, borderRadius: 1, border: 1, borderColor: 'divider', overflow: 'hidden' }}
        >
          <Box
            component="img"
            src={addressOf(it)}
            alt={`${label} ${i + 1}`}
            loading="lazy"
            sx={{ width: '100%', height: '100%', objectFit: 'cover' }}
          />
        </ButtonBase>
      ))}
      {urls.filter(isText).map((it) => (
        <Link key={it} href={addressOf(it)} target="_blank" rel="noreferrer">
          {it.split('/').at(-1)}
        </Link>
      ))}
      <Dialog
        open={url !== undefined}
        onClose={() => setShown(null)}
        maxWidth="lg"
        slotProps={{ paper: { 'aria-label': label } }}
        onClick={(event) => event.stopPropagation()}
        onKeyDown={(event) => {
          if (event.key === 'ArrowLeft') turn(-1);
          if (event.key === 'ArrowRight') turn(1);
        }}
      >
        <Box sx={{ display: 'flex', alignItems: 'center', p: 2, gap: 1 }}>
          <Box sx={{ mr: 'auto', pl: 2, fontWeight: 600 }}>
            {label} {(shown ?? 0) + 1} / {pictures.length}
          </Box>
          <Turn label="shell.detail.previous" Icon={ChevronLeft} onClick={() => turn(-1)} />
          <Turn label="shell.detail.next" Icon={ChevronRight} onClick={() => turn(1)} />
          <Turn label="ra.action.close" Icon={Close} onClick={() => setShown(null)} />
        </Box>
        {url && (
          <Box
            component="img"
            src={addressOf(url)}
            alt={label}
            sx={{ display: 'block', mx: 'auto', maxWidth: '100%', maxHeight: 'calc(100dvh - 160px)' }}
          />
        )}
      </Dialog>
    </Box>
  );
}

function Turn({ label, Icon, onClick }: { label: string; Icon: typeof Close; onClick: () => void }) {
  const translate = useTranslate();
  return (
    <IconButton size="small" aria-label={translate(label)} onClick={onClick}>
      <Icon fontSize="small" />
    </IconButton>
  );
}
