import { useState } from 'react';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Link from '@mui/material/Link';
import { useTranslate } from 'ra-core';
import { isPicture } from '#domain/images.ts';
import { fileAddress } from '#app/fileAddress.ts';
import { Lightbox } from '#app/parts/Lightbox.tsx';
import { RemoveButton } from '#app/parts/RemoveButton.tsx';

interface Props {
  urls: readonly string[];
  onRemove?: (url: string) => void;
  /** Small ones stand in one line of a table; large ones are what the page is decided by. */
  small?: boolean;
  large?: boolean;
}

/** Thumbnails; a click enlarges a picture, a machine log opens in a window of its own. Rule: screens#thumbnails. */
export function Pictures({ urls, onRemove, small = false, large = false }: Props) {
  const translate = useTranslate();
  const [open, setOpen] = useState<number | null>(null);
  const pictures = urls.filter((it) => isPicture(it) && fileAddress(it));
  if (urls.length === 0) return null;
  return (
    <Box
      sx={
        large
          ? { display: 'grid', gap: 2, gridTemplateColumns: largeColumns }
          : { display: 'flex', gap: small ? 1 : 2, ...(small ? {} : { flexWrap: 'wrap', mt: 2 }) }
      }
    >
      {urls.map((url, i) => (
        <Box key={url} sx={{ position: 'relative' }}>
          {fileAddress(url) === undefined ? (
            <span>{url}</span>
          ) : isPicture(url) ? (
            <ButtonBase
              aria-label={translate('stations.picture.enlarge', { number: i + 1 })}
              onClick={() => setOpen(pictures.indexOf(url))}
              sx={{
                ...(large ? largeSx : { width: small ? 28 : 72, height: small ? 28 : 72 }),
                border: 1,
                borderColor: 'divider',
                borderRadius: 1,
                overflow: 'hidden',
              }}
            >
              <Box
                component="img"
                src={fileAddress(url)}
                alt=""
                loading="lazy"
                sx={{ width: 1, height: 1, objectFit: large ? 'contain' : 'cover' }}
              />
            </ButtonBase>
          ) : (
            <Link href={fileAddress(url)} target="_blank" rel="noreferrer">
              {translate('stations.picture.log', { number: i + 1 })}
            </Link>
          )}
          {onRemove && (
            <RemoveButton
              label={translate('stations.picture.remove', { number: i + 1 })}
              onClick={() => onRemove(url)}
            />
          )}
        </Box>
      ))}
      <Lightbox urls={pictures} shown={open} onShow={setOpen} label={translate('stations.picture.enlarged')} />
    </Box>
  );
}

/** The whole picture; three beside each other where the page is wide, so that what stands below them is in sight too. */
const largeSx = { width: 1, height: { xs: 240, lg: 264 }, bgcolor: 'background.default' } as const;
const largeColumns = {
  xs: 'repeat(auto-fit, minmax(min(240px, 100%), 1fr))',
  lg: 'repeat(3, minmax(0, 1fr))',
} as const;
