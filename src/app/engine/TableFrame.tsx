import { styled, type Theme } from '@mui/material/styles';
import { monospace } from '#app/theme.ts';
import type { Tone } from '#domain/definition/grammar.ts';
import { paletteOf } from '#app/fields/tones.ts';

/**
 * The look of every table, on the container alone: rows and cells stay plain elements, which keeps a page of 200 rows
 * quick. Header and first column stay in sight; a code is never broken; numbers stand under each other.
 */
export const TableFrame = styled('div')(({ theme }) => {
  const { palette } = theme;
  const tint = (amount: number) =>
    `color-mix(in srgb, ${palette.primary.main} ${amount}%, ${palette.background.paper})`;
  return {
    overflow: 'auto',
    position: 'relative',
    border: `1px solid ${palette.divider}`,
    borderRadius: 6,
    backgroundColor: palette.background.paper,
    '& table': { borderCollapse: 'separate', borderSpacing: 0, width: '100%', fontSize: 13, lineHeight: '18px' },
    '& th, & td': {
      height: 'var(--row, 36px)',
      padding: '0 12px',
      textAlign: 'left',
      whiteSpace: 'nowrap',
      borderBottom: `1px solid ${palette.divider}`,
      backgroundColor: 'inherit',
      // A tablet has room for a column more instead.
      '@media (max-width: 1199px)': { padding: '0 8px' },
    },
    '& tbody tr:last-of-type td': { borderBottomColor: 'transparent' },
    '& thead tr': { backgroundColor: palette.mode === 'light' ? '#fafbfc' : '#1f252d' },
    '& thead th, & thead td': {
      position: 'sticky',
      top: 0,
      zIndex: 2,
      height: 32,
      fontSize: 12,
      fontWeight: 600,
      color: palette.text.secondary,
    },
    '& thead th.first': { zIndex: 3 },
    '& .first': {
      position: 'sticky',
      left: 'var(--first, 0px)',
      zIndex: 1,
      borderRight: `1px solid ${palette.divider}`,
    },
    '& thead th.over': { boxShadow: `inset 2px 0 ${palette.primary.main}` },
    '& .edge': {
      position: 'absolute',
      top: 0,
      right: 0,
      width: 9,
      height: '100%',
      cursor: 'col-resize',
      touchAction: 'none',
      '&:hover, &:active': { borderRight: `3px solid ${palette.primary.main}` },
    },
    '& .sized': { overflow: 'hidden', textOverflow: 'ellipsis' },
    '& .sized .text': { maxWidth: '100%' },
    '& .sized .code': { overflow: 'hidden', textOverflow: 'ellipsis' },
    '& .sized .copy': { marginRight: 0 },
    '& .sized .sort': { maxWidth: '100%' },
    '& .sized .head': { overflow: 'hidden', textOverflow: 'ellipsis' },
    // A menu for each row, at the right edge however far the columns reach.
    '& .more': { position: 'sticky', right: 0, zIndex: 1, width: 36, minWidth: 36, padding: '0 4px' },
    // Where rows have no menu it holds nothing but the fade, and takes no room.
    '& .more.bare': { width: 0, minWidth: 0, padding: 0 },
    '& thead .more': { top: 0, zIndex: 3 },
    '& .kebab': {
      display: 'block',
      width: 28,
      height: 28,
      padding: 5,
      border: 0,
      borderRadius: 6,
      background: 'none',
      color: palette.text.secondary,
      cursor: 'pointer',
      opacity: 0,
      '& svg': { fontSize: 18, display: 'block' },
      '&:hover': { backgroundColor: palette.action.hover, color: palette.text.primary },
      '@media (hover: none)': { opacity: 1 },
    },
    '& tr:hover .kebab, & tr:focus-within .kebab, & tr:focus .kebab': { opacity: 1 },
    '& .open': {
      display: 'block',
      width: 28,
      height: 28,
      padding: 5,
      margin: '0 0 0 -8px',
      border: 0,
      borderRadius: 6,
      background: 'none',
      color: palette.text.secondary,
      cursor: 'pointer',
      '& svg': { fontSize: 18, display: 'block', transition: 'transform 120ms' },
      '&[aria-expanded="true"] svg': { transform: 'rotate(90deg)' },
      '&:hover': { backgroundColor: palette.action.hover, color: palette.text.primary },
      '&:focus-visible': { outline: `2px solid ${palette.primary.main}` },
      '@media (prefers-reduced-motion: reduce)': { '& svg': { transition: 'none' } },
    },
    // As wide as what is seen of the table, and in sight however far the columns reach.
    '&:has(.under)': { containerType: 'inline-size' },
    '& .under > td': { padding: 0, height: 'auto' },
    '& .under > td > div': {
      position: 'sticky',
      left: 0,
      boxSizing: 'border-box',
      width: '100cqw',
      padding: '4px 12px 12px 44px',
      '@media (max-width: 600px)': { paddingLeft: 12 },
    },
    '& tfoot th, & tfoot td': {
      position: 'sticky',
      bottom: 0,
      zIndex: 2,
      fontWeight: 600,
      fontSize: 13,
      borderTop: `1px solid ${palette.divider}`,
      borderBottom: 0,
    },
    '& tfoot .first, & tfoot .pick, & tfoot .more': { zIndex: 3 },
    '& tfoot tr': { backgroundColor: palette.mode === 'light' ? '#fafbfc' : '#1f252d' },
    '& .pick': { position: 'sticky', left: 0, zIndex: 1, width: 44, minWidth: 44, padding: '0 0 0 12px' },
    '& thead .pick': { zIndex: 3 },
    '& .right': { textAlign: 'right', fontVariantNumeric: 'tabular-nums' },
    '& .center': { textAlign: 'center' },
    '& tbody tr': { backgroundColor: palette.background.paper },
    '& tbody tr.row': { cursor: 'default', outlineOffset: -2 },
    '& tbody tr.row:hover': { backgroundColor: tint(4) },
    '& tbody tr[aria-selected="true"]': { backgroundColor: tint(12) },
    '& tbody tr[aria-selected="true"]:hover': { backgroundColor: tint(16) },
    '& tbody tr.previewed': { backgroundColor: tint(8) },
    '& tbody tr[aria-selected="true"]:not(:focus-visible) td:first-of-type': {
      boxShadow: `inset 3px 0 ${palette.primary.main}`,
    },
    // Drawn by the cells: those that stay in sight would cover an outline of the row.
    '& tbody tr:focus-visible': { outline: 'none' },
    '& tbody tr:focus-visible td': {
      boxShadow: `inset 0 2px ${palette.primary.main}, inset 0 -2px ${palette.primary.main}`,
    },
    '& tbody tr:focus-visible td:first-of-type': {
      boxShadow: `inset 0 2px ${palette.primary.main}, inset 0 -2px ${palette.primary.main}, inset 3px 0 ${palette.primary.main}`,
    },
    '& tbody tr:focus-visible td:last-of-type': {
      boxShadow: `inset 0 2px ${palette.primary.main}, inset 0 -2px ${palette.primary.main}, inset -2px 0 ${palette.primary.main}`,
    },
    '& .sort': {
      font: 'inherit',
      color: 'inherit',
      background: 'none',
      border: 0,
      padding: 0,
      cursor: 'pointer',
      display: 'inline-flex',
      alignItems: 'center',
      verticalAlign: 'middle',
      textAlign: 'inherit',
      gap: 4,
      '&:hover': { color: palette.text.primary },
      '&:focus-visible': { outline: `2px solid ${palette.primary.main}`, outlineOffset: 2 },
      '& svg': { fontSize: 14, opacity: 0 },
      '&:hover svg, &:focus-visible svg': { opacity: 0.5 },
      '&.on svg': { opacity: 1, color: palette.primary.main },
    },
    // Two things in one cell: what it is, and in small what belongs to it.
    '& td.two': { lineHeight: '17px' },
    '& td.two .chip': { height: 17, lineHeight: '17px' },
    '& td.two .below': { fontSize: 11, lineHeight: '15px', color: palette.text.secondary },
    '& thead small': { display: 'block', fontSize: 11, lineHeight: '13px', fontWeight: 400 },
    '& thead .head': { lineHeight: '15px' },
    // The words of a heading end where its numbers end.
    '& .right .sort': { flexDirection: 'row-reverse' },
    // What goes on beside the edge fades out instead of being cut within a letter.
    '&[data-more-right] .more::before': {
      content: '""',
      position: 'absolute',
      top: 0,
      bottom: 0,
      left: -29,
      width: 28,
      background: 'inherit',
      maskImage: 'linear-gradient(to right, transparent, #000)',
      pointerEvents: 'none',
    },
    // Until a row shows its menu, its place covers nothing either.
    '@media (hover: hover)': {
      '&[data-more-right] :is(thead, tfoot, tbody tr:not(:hover, :focus, :focus-within)) .more:not(.bare)': {
        maskImage: 'linear-gradient(to right, transparent, #000)',
        '&::before': { display: 'none' },
      },
    },
    '&[data-more-left] .first::after': {
      content: '""',
      position: 'absolute',
      top: 0,
      bottom: 0,
      right: -8,
      width: 8,
      background: `linear-gradient(to right, ${palette.action.selected}, transparent)`,
      pointerEvents: 'none',
    },
    // Rows that are not drawn leave their room, and their widest values the width of their columns.
    '& .gap td': { padding: 0, border: 0 },
    '& .widest td': { height: 0, border: 0, lineHeight: 0 },
    '& .widest td > div': { height: 0, overflow: 'hidden', visibility: 'hidden' },
    '& input[type=checkbox]': { width: 16, height: 16, margin: 0, accentColor: palette.primary.main, display: 'block' },
    // In the dark the browser fills an empty one, as if it could not be ticked.
    '& input[type=checkbox]:not(:checked, :indeterminate)': {
      appearance: 'none',
      border: `1.5px solid ${palette.text.secondary}`,
      borderRadius: 3,
    },
    ...valueStyles(theme),
  };
});

/** How values look wherever they stand, in a table or among the facts of a detail. */
export function valueStyles({ palette }: Theme) {
  const chip = (tone: Tone) => {
    const { main } = palette[paletteOf[tone]];
    return {
      color: `color-mix(in srgb, ${main} 85%, ${palette.text.primary})`,
      backgroundColor: `color-mix(in srgb, ${main} 12%, transparent)`,
    };
  };
  return {
    '& a': { color: palette.primary.main, textDecoration: 'none', '&:hover': { textDecoration: 'underline' } },
    '& .code': { fontFamily: monospace, fontSize: 'max(11px, 0.95em)', whiteSpace: 'nowrap' },
    '& .text': {
      display: 'inline-block',
      maxWidth: 280,
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      verticalAlign: 'bottom',
    },
    '& .copy': {
      font: 'inherit',
      color: palette.text.secondary,
      background: 'none',
      border: 0,
      padding: 2,
      // Over the room beside the code: it makes no column wider.
      marginRight: -17,
      position: 'relative',
      zIndex: 1,
      cursor: 'copy',
      opacity: 0,
      verticalAlign: 'middle',
      lineHeight: 0,
      '& svg': { width: 13, height: 13, fill: 'currentColor' },
      '&:focus-visible': { opacity: 1 },
    },
    '& .code:hover .copy': { opacity: 1 },
    '& .chip': {
      display: 'inline-block',
      padding: '0 8px',
      height: 20,
      lineHeight: '20px',
      borderRadius: 4,
      fontSize: 12,
      whiteSpace: 'nowrap',
    },
    ...Object.fromEntries((Object.keys(paletteOf) as Tone[]).map((it) => [`& .chip.${it}`, chip(it)])),
  } as const;
}

/** Where a value has no column of its own: one that is longer than its place goes on in a second line. */
export const wrappedChip = {
  maxWidth: '100%',
  height: 'auto',
  padding: '2px 8px',
  lineHeight: '16px',
  verticalAlign: 'bottom',
  whiteSpace: 'normal',
} as const;
