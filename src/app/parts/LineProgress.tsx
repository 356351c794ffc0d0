import { memo } from 'react';
import Box from '@mui/material/Box';
import { useTranslate } from 'ra-core';
import { codeSx, tabularSx } from '#app/theme.ts';

interface Progress {
  id: string;
  code: string;
  name: string;
  done: number;
  expected: number;
}

/** More than anybody reads beside a scanner; of a longer bill what is still open comes first. */
const SHOWN = 30;

/** What is there and what is missing, line by line. */
export function LineProgress({ lines }: { lines: readonly Progress[] }) {
  const translate = useTranslate();
  const shown = lines.length > SHOWN ? openFirst(lines).slice(0, SHOWN) : lines;
  return (
    <Box sx={linesSx}>
      {shown.map(({ id, ...it }) => (
        <Line key={id} {...it} />
      ))}
      {lines.length > SHOWN && (
        <div className="more">{translate('stations.openFirst', { shown: SHOWN, total: lines.length })}</div>
      )}
    </Box>
  );
}

const openFirst = (lines: readonly Progress[]): Progress[] => [
  ...lines.filter((it) => it.done !== it.expected),
  ...lines.filter((it) => it.done === it.expected),
];

/** Of all lines: a style of its own for each part of each line is most of what drawing it costs. */
const linesSx = {
  mt: 3,
  maxHeight: 500,
  overflow: 'auto',
  '& > div': { borderTop: 1, borderColor: 'divider' },
  '& .line': { display: 'flex', gap: 2, py: 1.5 },
  '& .goods': { flex: 1, minWidth: 0 },
  '& .code': codeSx,
  '& .name': { fontSize: 12, color: 'text.secondary' },
  '& .count': { ...tabularSx, fontSize: 20, fontWeight: 600, whiteSpace: 'nowrap' },
  '& .count.full': { color: 'success.main' },
  '& .count.over': { color: 'warning.main' },
  '& .more': { py: 2, typography: 'caption', color: 'text.secondary' },
} as const;

// Drawn anew only when its numbers change: each scan changes one line of a bill that may have hundreds.
const Line = memo(function Line({ code, name, done, expected }: Omit<Progress, 'id'>) {
  const look = done > expected ? 'over' : done === expected && done > 0 ? 'full' : '';
  return (
    <div className="line">
      <div className="goods">
        <div className="code">{code}</div>
        <div className="name">{name}</div>
      </div>
      <div className={`count ${look}`}>
        {done} / {expected}
      </div>
    </div>
  );
});
