import { Link } from 'react-router-dom';
import { useTranslate } from 'ra-core';
import { styled } from '@mui/material/styles';

interface NodeChartProps {
  bars: readonly { label: string; count: number; address: string }[];
}

/** What waits where: one bar a node, in the order of the chain, as long as its share of the longest. */
export function NodeChart({ bars }: NodeChartProps) {
  const translate = useTranslate();
  const most = Math.max(1, ...bars.map((it) => it.count));
  return (
    <Bars aria-label={translate('shell.home.chart')}>
      {bars.map((it) => (
        <li key={it.label}>
          <Link to={it.address}>{it.label}</Link>
          <span className="track" aria-hidden>
            <span className="bar" style={{ width: `${(it.count / most) * 100}%` }} />
          </span>
          <span className="count">{it.count.toLocaleString('en-US')}</span>
        </li>
      ))}
    </Bars>
  );
}

const Bars = styled('ul')(({ theme }) => ({
  listStyle: 'none',
  margin: 0,
  padding: 16,
  border: `1px solid ${theme.palette.divider}`,
  borderRadius: 6,
  backgroundColor: theme.palette.background.paper,
  '& li': {
    display: 'grid',
    gridTemplateColumns: 'minmax(96px, 160px) 1fr 48px',
    alignItems: 'center',
    columnGap: 12,
    minHeight: 32,
    fontSize: 13,
  },
  '& a': { color: 'inherit', textDecoration: 'none', '&:hover': { textDecoration: 'underline' } },
  '& .bar': { display: 'block', height: 12, borderRadius: 2, backgroundColor: theme.palette.primary.main },
  '& .count': { textAlign: 'right', fontVariantNumeric: 'tabular-nums' },
}));
