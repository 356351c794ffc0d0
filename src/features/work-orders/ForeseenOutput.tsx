import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import { trimmedDecimal } from '#domain/money.ts';
import { useLookup } from '#app/parts/useLookup.ts';
import type { WorkOrderModule } from '#domain/wafer.ts';
import { usualYield } from './contract.ts';
import { foresee, type SelectedLot } from './rules.ts';

interface Props {
  module: WorkOrderModule;
  part: string;
  processType: string;
  ftType: string;
  picked: readonly Pick<SelectedLot, 'wipId' | 'piece' | 'inputQty'>[];
}

/** What the order would hold, and what of it would come out good as usual. Rule: wafer-bank#foresight. */
export function ForeseenOutput({ module, part, processType, ftType, picked }: Props) {
  const translate = useTranslate();
  const usual = useLookup(usualYield(module), { part, processType, ftType }, { enabled: part !== '' }).data;
  const { good, ...sums } = foresee(picked, usual?.yield ?? null);
  if (picked.length === 0) return null;
  const isFt = module === 'icopFtWorkOrder';
  return (
    <Box role="status" sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}>
      {translate(isFt ? 'bills.order.foreseenBins' : 'bills.order.foreseen', sums)}
      {usual && usual.yield !== null && (
        <>
          {' · '}
          {translate('bills.order.foreseenGood', {
            ...{
              good,
              orders: usual.orders,
              smart_count: usual.orders,
              yield: `${trimmedDecimal((usual.yield * 100).toFixed(1))}%`,
            },
          })}
        </>
      )}
    </Box>
  );
}
