import { useRef, type ReactNode, type RefObject } from 'react';
import { useTranslate } from 'ra-core';
import { styled } from '@mui/material/styles';
import ChevronLeft from '@mui/icons-material/ChevronLeft';
import ChevronRight from '@mui/icons-material/ChevronRight';
import { useOverflowMarks } from '#app/engine/list/useOverflowMarks.ts';
import { IconAction } from '#app/parts/IconAction.tsx';
import { useChosenInSight } from '#app/parts/useChosenInSight.ts';

interface StripProps {
  chosen: unknown;
  /** Of the choices that are shown. */
  count: number;
  children: (strip: RefObject<HTMLDivElement | null>) => ReactNode;
}

/** A line of choices. Where there is no room for all it scrolls: it fades at the edge, and an arrow there leads on. */
export function Strip({ chosen, count, children }: StripProps) {
  const translate = useTranslate();
  const strip = useRef<HTMLDivElement>(null);
  useOverflowMarks(strip, count);
  useChosenInSight(strip, chosen, count);
  // Nearly a strip's width, so that the choice at the edge is still seen.
  const scroll = (by: -1 | 1) => strip.current?.scrollBy({ left: by * strip.current.clientWidth * 0.8 });
  return (
    <Frame data-strip>
      <span className="left">
        <IconAction label={translate('shell.tabs.left')} Icon={ChevronLeft} onClick={() => scroll(-1)} />
      </span>
      {children(strip)}
      <span className="right">
        <IconAction label={translate('shell.tabs.right')} Icon={ChevronRight} onClick={() => scroll(1)} />
      </span>
    </Frame>
  );
}

/** Under an arrow nothing is seen, beside it the line fades in. */
const [ARROW, FADE] = [22, 46];
const faded = (...sides: ('left' | 'right')[]) =>
  sides
    .map((it) => `linear-gradient(to ${it === 'left' ? 'right' : 'left'}, transparent ${ARROW}px, #000 ${FADE}px)`)
    .join();

const Frame = styled('div')({
  display: 'flex',
  alignItems: 'center',
  position: 'relative',
  minWidth: 0,
  // Over the line, whose width they leave as it is: another width would bring the chosen one into sight again.
  '& > span': { position: 'absolute', zIndex: 1, display: 'none' },
  '& > .left': { left: -4 },
  '& > .right': { right: -4 },
  '&:has(> [data-more-left]) > .left, &:has(> [data-more-right]) > .right': { display: 'block' },
  '& > :not(span)': {
    flex: '0 1 auto',
    minWidth: 0,
    overflowX: 'auto',
    scrollbarWidth: 'none',
    scrollPaddingInline: FADE,
    maskComposite: 'intersect',
    '&[data-more-left]': { maskImage: faded('left') },
    '&[data-more-right]': { maskImage: faded('right') },
    '&[data-more-left][data-more-right]': { maskImage: faded('left', 'right') },
  },
});
