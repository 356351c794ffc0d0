import { useRef } from 'react';
import Box, { type BoxProps } from '@mui/material/Box';
import { useOverflowMarks } from '#app/engine/list/useOverflowMarks.ts';

/** What may be wider than its place: it scrolls, and fades out at the right edge where it goes on. */
export function SideScroll({ sx, ...rest }: BoxProps) {
  const frame = useRef<HTMLDivElement>(null);
  useOverflowMarks(frame);
  return <Box ref={frame} {...rest} sx={[scrollSx, ...(Array.isArray(sx) ? sx : [sx])]} />;
}

const scrollSx = {
  overflow: 'auto',
  '&[data-more-right]': { maskImage: 'linear-gradient(to left, transparent, #000 32px)' },
} as const;
