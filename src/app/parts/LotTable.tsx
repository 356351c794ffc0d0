import type { ReactNode } from 'react';
import { styled } from '@mui/material/styles';

/** A dense table of lots. */
export function LotTable({ label, heads, children }: { label: string; heads: readonly string[]; children: ReactNode }) {
  return (
    <Frame tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {heads.map((it, i) => (
              <th key={`${it}${i}`} scope="col">
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
  '& .number': { textAlign: 'right', fontVariantNumeric: 'tabular-nums' },
  '& .piece td': { backgroundColor: theme.palette.action.hover },
}));
