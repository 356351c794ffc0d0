import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import type { Column, LinesView, Row } from '#app/engine/wire.ts';
import { useReasonOf } from '#app/notify.ts';
import { EmptyState } from '#app/parts/EmptyState.tsx';
import { Panel } from '#app/parts/Facts.tsx';
import { cellOf } from '#app/parts/cells.tsx';
import { LineTable } from '#app/parts/LineTable.tsx';
import { ReadFailure } from '#app/parts/ReadFailure.tsx';
import { useLookup } from '#app/parts/useLookup.ts';
import type { DataOf } from '#domain/call.ts';
import { projectSums } from './contract.ts';

interface Props {
  /** The repair-fee bill. */
  id: number;
  /** Of its lines, which call projects and amounts as these sums do. */
  view: LinesView;
  currency: string | null;
}

/** What a repair-fee bill comes to for each repair project, as its workbook says it. Rule: money#sums-per-project. */
export function ProjectSums({ id, view, currency }: Props) {
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  const { data, error, refetch } = useLookup(projectSums, { id }, { staleTime: 0 });
  const label = translate('bills.review.sums.title');
  return (
    <Panel title={label}>
      {!data && !error && <Waiting />}
      {!data && error && (
        <ReadFailure
          text={translate('shell.notice.failed', { action: label })}
          reason={reasonOf(error)}
          onAgain={() => void refetch()}
        />
      )}
      {data && data.projects.length === 0 && data.expenses === null && (
        <EmptyState isSmall text={translate('bills.review.sums.none')} />
      )}
      {data && (data.projects.length > 0 || data.expenses !== null) && (
        <Sums label={label} sums={data} view={view} currency={currency} />
      )}
    </Panel>
  );
}

interface SumsProps extends Omit<Props, 'id'> {
  label: string;
  sums: DataOf<typeof projectSums>;
}

function Sums({ label, sums: { projects, expenses, total }, view, currency }: SumsProps) {
  const translate = useTranslate();
  const columnOf = (name: string): Column[] => view.columns.filter((it) => it.name === name);
  const units = translate('bills.review.sums.units');
  const columns: Column[] = [
    ...columnOf(PROJECT),
    { name: 'units', label: units, type: 'Integer', align: 'right' },
    ...columnOf('includingTaxAmount'),
  ];
  const rows: Row[] = projects.map((it, i) => ({ id: i, ...it, currency }));
  // Expenses are of no project, and no units.
  if (expenses !== null) {
    const { includingTaxAmount } = expenses;
    rows.push({ id: rows.length, [PROJECT]: translate('bills.review.sums.expenses'), includingTaxAmount, currency });
  }
  const all = { id: -1, ...total, [PROJECT]: translate('bills.review.sums.total'), currency };
  return <LineTable label={label} columns={columns} rows={rows} footer={[all]} cell={cellOf} />;
}

/** The field of a line by which the lines are added up. */
export const PROJECT = 'repairProject';

/** Their place before they are read, so that nothing moves by much when they are. */
function Waiting() {
  const translate = useTranslate();
  return (
    <Box role="status" aria-busy="true" aria-label={translate('shell.detail.reading')} sx={{ display: 'grid', gap: 3 }}>
      {[1, 2, 3, 4].map((it) => (
        <Skeleton key={it} height={24} />
      ))}
    </Box>
  );
}
