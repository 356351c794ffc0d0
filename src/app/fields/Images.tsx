import { useState } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Link from '@mui/material/Link';
import { isPicture } from '#domain/images.ts';
import { endingOf } from '#domain/uploads.ts';
import { fileAddress, paperAddress } from '#app/fileAddress.ts';
import { useLanguage } from '#app/session.ts';
import { Lightbox } from '#app/parts/Lightbox.tsx';

interface ImagesProps {
  urls: readonly string[];
  label: string;
  /** Edge of a thumbnail. */
  size?: number;
}

/** Thumbnails that enlarge, one after the other; papers and machine logs among them are links, what is no file of ours is text. */
export function Images({ urls, label, size = 96 }: ImagesProps) {
  const translate = useTranslate();
  const lang = useLanguage();
  const isOurs = (it: string) => fileAddress(it) !== undefined;
  const pictures = urls.filter((it) => isPicture(it) && isOurs(it));
  const [shown, setShown] = useState<number | null>(null);
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
            src={fileAddress(it)}
            alt={`${label} ${i + 1}`}
            loading="lazy"
            sx={{ width: '100%', height: '100%', objectFit: 'cover' }}
          />
        </ButtonBase>
      ))}
      {urls
        .filter((it) => !isPicture(it) && isOurs(it))
        .map((it, i) => (
          <Link
            key={it}
            href={paperAddress(it, lang)}
            target="_blank"
            rel="noreferrer"
            onClick={(event) => event.stopPropagation()}
          >
            {`${label} ${pictures.length + i + 1} (${endingOf(it)})`}
          </Link>
        ))}
      {urls
        .filter((it) => !isOurs(it))
        .map((it) => (
          <span key={it}>{it}</span>
        ))}
      <Lightbox urls={pictures} shown={shown} onShow={setShown} label={label} />
    </Box>
  );
}
