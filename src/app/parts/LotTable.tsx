import type { ReactNode } from 'react';
import { styled } from '@mui/material/styles';
import { codeSx } from '#app/theme.ts';

interface Props {
  label: string;
  heads: readonly string[];
  /** The columns of numbers, counted from 0: their heads stand over them. */
  numbers?: readonly number[];
  /** On a page of its own it is as high as its rows. */
  isTall?: boolean;
  /** Many fields stand beside each other. */
  isDense?: boolean;
  children: ReactNode;
}

/** A dense table of lots. */
export function LotTable({ label, heads, numbers = [], isTall = false, isDense = false, children }: Props) {
  return (
    <Frame
      tabIndex={0}
      role="region"
      aria-label={label}
      className={isDense ? 'dense' : undefined}
      style={isTall ? { maxHeight: 'none' } : undefined}
    >
      <table>
        <thead>
          <tr>
            {heads.map((it, i) => (
              <th key={`${it}${i}`} scope="col" className={numbers.includes(i) ? 'number' : undefined}>
                {it}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </Frame>
  );
}

const Frame = styled('div')(({ theme }) => ({
  maxHeight: 420,
  overflow: 'auto',
  border: `1px solid ${theme.palette.divider}`,
  borderRadius: 6,
  '& table': { width: '100%', borderCollapse: 'collapse', fontSize: 13 },
  '& th, & td': {
    padding: '4px 12px',
    textAlign: 'left',
    borderBottom: `1px solid ${theme.palette.divider}`,
    whiteSpace: 'nowrap',
  },
  '& th': {
    position: 'sticky',
    top: 0,
    zIndex: 1,
    fontWeight: 600,
    color: theme.palette.text.secondary,
    backgroundColor: theme.palette.background.paper,
  },
  '&.dense :is(th, td)': { padding: '4px 6px' },
  '& .code': codeSx,
  '& .number': { textAlign: 'right', fontVariantNumeric: 'tabular-nums' },
  '& .asked td': { backgroundColor: theme.palette.action.selected },
  '& .piece td': { backgroundColor: theme.palette.action.hover },
}));
