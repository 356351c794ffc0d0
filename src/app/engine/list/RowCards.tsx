import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import IconButton from '@mui/material/IconButton';
import MoreVert from '@mui/icons-material/MoreVert';
import { styled } from '@mui/material/styles';
import { rowName } from '#app/engine/list/BodyRow.tsx';
import { factsOfCard, type ShownColumn } from '#app/engine/list/columns.ts';
import type { RowHandling } from '#app/engine/list/useRows.ts';
import { valueStyles, wrappedChip } from '#app/engine/TableFrame.tsx';
import type { Column, Labels, Row } from '#app/engine/wire.ts';
import { Cell } from '#app/fields/Cell.tsx';
import { isBlank } from '#app/fields/format.ts';
import { codeSx, cutSx } from '#app/theme.ts';

interface RowCardsProps extends RowHandling {
  columns: readonly ShownColumn[];
  /** What a row is called by; left out, its first column. */
  named?: readonly Column[];
  rows: readonly Row[];
  labels?: Labels;
  label: string;
  linkOf?: (row: Row) => string;
  /** In place of rows: nothing found, failed, still loading. */
  instead?: ReactNode;
}

/** A list on a phone: each row a card, what it is called by the title, then the facts of its columns. */
export function RowCards({ columns, rows, labels, label, linkOf, instead, selection, ...on }: RowCardsProps) {
  const named = on.named ?? columns.slice(0, 1);
  const translate = useTranslate();
  if (instead) return <Frame>{instead}</Frame>;
  const toggle = (id: number) => {
    if (!selection) return;
    const { ids, multiple, onChange } = selection;
    if (ids.includes(id)) onChange(ids.filter((it) => it !== id));
    else onChange(multiple ? [...ids, id] : [id]);
  };
  return (
    <Box component="ul" aria-label={label} sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 2 }}>
      {rows.map((row) => {
        const name = rowName(named, row, labels);
        const isSelected = selection?.ids.includes(row.id) === true;
        const link = linkOf?.(row);
        const facts = factsOfCard(
          columns,
          (it) => isBlank(it, row[it.name]) || named.some(({ name }) => name === it.name),
        );
        return (
          <Frame key={row.id} className={isSelected ? 'selected' : undefined}>
            <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minHeight: 40 }}>
              {selection && (
                <Checkbox
                  size="small"
                  checked={isSelected}
                  onChange={() => toggle(row.id)}
                  slotProps={{ input: { 'aria-label': translate('shell.list.selectRow', { row: name }) } }}
                />
              )}
              <Box sx={{ flex: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', fontWeight: 600 }}>
                {link ? (
                  <Box
                    component={Link}
                    to={link}
                    sx={{ ...codeSx, color: 'primary.main', display: 'block', py: 2, textDecoration: 'none' }}
                  >
                    {name}
                  </Box>
                ) : (
                  <Box component="button" type="button" className="title" onClick={() => on.onPreview?.(row)}>
                    {name}
                  </Box>
                )}
              </Box>
              <IconButton
                aria-haspopup="menu"
                aria-label={translate('lists.row.menu', { row: name })}
                onClick={(event) => {
                  const { bottom, left } = event.currentTarget.getBoundingClientRect();
                  on.onMenu?.(row, { top: bottom, left });
                }}
              >
                <MoreVert fontSize="small" />
              </IconButton>
            </Box>
            <Box component="dl">
              {facts.map((it) => (
                <Box key={it.name} sx={{ minWidth: 0 }}>
                  <dt>{it.label}</dt>
                  <dd>
                    <Cell column={it} value={row[it.name]} labels={labels} currency={row['currency']} />
                  </dd>
                </Box>
              ))}
            </Box>
          </Frame>
        );
      })}
    </Box>
  );
}

const Frame = styled('li')(({ theme }) => ({
  listStyle: 'none',
  padding: '4px 8px 12px',
  border: `1px solid ${theme.palette.divider}`,
  borderRadius: 6,
  backgroundColor: theme.palette.background.paper,
  fontSize: 13,
  '&.selected': { borderColor: theme.palette.primary.main, boxShadow: `inset 3px 0 ${theme.palette.primary.main}` },
  '& dl': { margin: 0, padding: '0 8px', display: 'grid', gridTemplateColumns: '1fr 1fr', gap: '8px 16px' },
  '& dt': { fontSize: 12, lineHeight: '16px', color: theme.palette.text.secondary },
  '& dd': { margin: 0, lineHeight: '20px', ...cutSx },
  '& .title': {
    display: 'block',
    width: '100%',
    font: 'inherit',
    color: theme.palette.primary.main,
    background: 'none',
    border: 0,
    padding: '8px 0',
    textAlign: 'left',
    cursor: 'pointer',
  },
  ...valueStyles(theme),
  // Half a phone is narrow: words go on in a second line before they are cut.
  '& dd > .text': {
    display: '-webkit-box',
    WebkitBoxOrient: 'vertical',
    WebkitLineClamp: 2,
    maxWidth: '100%',
    overflow: 'hidden',
    overflowWrap: 'anywhere',
    textWrap: 'balance',
    whiteSpace: 'normal',
  },
  '& dd > .chip': wrappedChip,
}));
