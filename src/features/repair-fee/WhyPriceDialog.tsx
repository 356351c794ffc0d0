import type { ReactNode } from 'react';
import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import { valueStyles } from '#app/engine/TableFrame.tsx';
import { CodeCell } from '#app/fields/Cell.tsx';
import { useReasonOf } from '#app/notify.ts';
import type { DialogProps } from '#app/parts/dialog.ts';
import { FactGrid } from '#app/parts/Facts.tsx';
import { LineTable } from '#app/parts/LineTable.tsx';
import { ReadModal } from '#app/parts/Modal.tsx';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import { Reading } from '#app/parts/Reading.tsx';
import { useLookup } from '#app/parts/useLookup.ts';
import type { DataOf } from '#domain/call.ts';
import { PriceReason } from '#domain/review.ts';
import { moneyText } from '#domain/money.ts';
import { whyPrice } from './contract.ts';

/** Why a line costs what it costs, or what its price is missing. Rule: money#why-a-price. */
export default function WhyPriceDialog({ button, rows: [row], onClose }: DialogProps) {
  const reasonOf = useReasonOf();
  const { data, error } = useLookup(whyPrice, { id: row?.id ?? 0 }, { enabled: row !== undefined, staleTime: 0 });
  const name = data?.sn ?? data?.expense;
  return (
    <ReadModal
      title={name ? `${button.btnName} · ${name}` : button.btnName}
      problem={error ? reasonOf(error) : ''}
      onClose={onClose}
    >
      {!data && !error && <Reading />}
      {data && <Why why={data} />}
    </ReadModal>
  );
}

type Answer = DataOf<typeof whyPrice>;

function Why({ why }: { why: Answer }) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const { was, now, work, near } = why;
  const price = moneyText(why.unitPrice, why.currency);
  if (why.expense !== null)
    return (
      <Values>
        <Said>
          {translate('bills.why.expense')} <CodeCell field="mebId" text={why.expense} />
        </Said>
      </Values>
    );
  const key = [
    [translate('bills.why.site'), work.siteName],
    [translate('bills.why.part.repairProject'), labelOf('repairProjects', work.repairProject)],
    [translate('bills.why.part.machineType'), work.machineType],
    [translate('bills.why.part.warranty'), labelOf('warranty', work.warranty)],
    [translate('bills.why.part.repairType'), labelOf('repairType', work.repairType)],
    [translate('bills.why.part.day'), work.day],
    [translate('bills.why.supplier'), why.supplierName],
    [translate('bills.why.currency'), why.currency && labelOf('currencies', why.currency)],
  ] as const;
  const isOther = now.reason !== was.reason || now.prbId !== was.prbId;
  return (
    <Values>
      <Said>
        {translate(`bills.why.reason.${was.reason ?? PriceReason.NoPrice}`, { price })}{' '}
        {was.prbId !== null && <CodeCell field="prbId" text={was.prbId} />}
      </Said>
      <FactGrid isFramed facts={key.map(([label, value]) => ({ label, value }))} />
      {why.isAnew && <Alert severity="warning">{translate('bills.why.anew')}</Alert>}
      {isOther && (
        <Alert severity="info">
          {translate('bills.why.now')} {labelOf('priceReasons', now.reason)}{' '}
          {now.prbId !== null && <CodeCell field="prbId" text={now.prbId} />}
        </Alert>
      )}
      {near.length > 0 && <NearPrices near={near} />}
    </Values>
  );
}

/** What comes near, and for each what it misses; what misses nothing is one of several. */
function NearPrices({ near }: { near: Answer['near'] }) {
  const translate = useTranslate();
  const label = translate('bills.why.near');
  const columns = Object.entries(nearCells).map(([name, cell]) => ({
    name,
    label: translate(`bills.why.${name}`),
    cell,
  }));
  return (
    <Box component="section" aria-label={label}>
      <Box component="h3" sx={{ m: 0, mb: 2, fontSize: 14, fontWeight: 600 }}>
        {label}
      </Box>
      <LineTable
        label={label}
        columns={columns}
        rows={near.map((it, id) => ({ ...it, id }))}
        cell={(column, row) => column.cell(row, translate)}
      />
    </Box>
  );
}

type Near = Answer['near'][number];

const nearCells: Record<string, (it: Near, translate: ReturnType<typeof useTranslate>) => ReactNode> = {
  bill: ({ prbId }) => <CodeCell field="prbId" text={prbId} />,
  supplier: ({ supplierName }) => supplierName,
  price: ({ unitPriceWithTax, currency }) => moneyText(unitPriceWithTax, currency),
  valid: ({ effectiveDate, expirationDate }) => `${effectiveDate} – ${expirationDate}`,
  misses: ({ misses }, translate) =>
    misses.length === 0 ? (
      <span className="chip done">{translate('bills.why.holds')}</span>
    ) : (
      misses.map((part) => (
        <span key={part} className="chip waits">
          {translate(`bills.why.part.${part}`)}
        </span>
      ))
    ),
};

const Said = styled('p')({ margin: 0, fontSize: 15 });
const Values = styled('div')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  gap: 16,
  paddingTop: 4,
  ...valueStyles(theme),
  '& .chip + .chip': { marginLeft: 4 },
}));
