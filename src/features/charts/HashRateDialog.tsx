import { lazy, Suspense, useMemo, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { offsetAt } from '#domain/day.ts';
import { workshopZone } from '#app/fields/format.ts';
import { useReasonOf } from '#app/notify.ts';
import type { DialogProps } from '#app/parts/dialog.ts';
import { ReadModal } from '#app/parts/Modal.tsx';
import { send } from '#app/send.ts';
import { userSpeedChart, userWorkerSpeedChart } from './contract.ts';
import { intervals, type Interval, type Point } from './rules.ts';

const Chart = lazy(() => import('#app/parts/Chart.tsx'));
const HEIGHT = 420;

/** The hash rate of an account or of a machine over time. Rule: hash-rate#spans. */
export default function HashRateDialog({ module, button, rows: [row], onClose }: DialogProps) {
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  const [interval, setInterval] = useState<Interval>('hour');
  const userOid = String(row?.['userOid'] ?? '');
  const workerId = String(row?.['workerId'] ?? '');
  const { data, error } = useQuery({
    queryKey: [module, 'hashRate', userOid, workerId, interval],
    queryFn: () =>
      module === 'userWorker'
        ? send(userWorkerSpeedChart, { workerId, userOid, interval })
        : send(userSpeedChart, { userOid, interval }),
    gcTime: 0,
  });
  const name = String(row?.['name'] ?? row?.['workerId'] ?? userOid);
  return (
    <ReadModal
      width="charts"
      title={`${button.btnName} · ${name}`}
      problem={error ? reasonOf(error) : ''}
      onClose={onClose}
    >
      <ToggleButtonGroup
        exclusive
        size="small"
        value={interval}
        aria-label={translate('bills.chart.interval')}
        onChange={(_, it: Interval | null) => it && setInterval(it)}
      >
        {intervals.map((it) => (
          <ToggleButton key={it} value={it}>
            {translate(`bills.chart.${it}`)}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <Suspense fallback={<Box sx={{ height: HEIGHT }} />}>
        {data ? (
          <Line unit={data.unit} points={data.point} interval={interval} name={name} />
        ) : (
          <Box sx={{ height: HEIGHT }} />
        )}
      </Suspense>
    </ReadModal>
  );
}

interface LineProps {
  unit: string;
  points: readonly Point[];
  interval: Interval;
  name: string;
}

const isAlone = (points: readonly Point[], i: number): boolean =>
  points[i]?.hashRate != null && points[i - 1]?.hashRate == null && points[i + 1]?.hashRate == null;

function Line({ unit, points, interval, name }: LineProps) {
  const translate = useTranslate();
  const zone = workshopZone();
  const axis = translate(`bills.chart.per.${interval}`, { unit });
  const option = useMemo(
    () => ({
      grid: { left: 16, right: 24, top: 40, bottom: 8 },
      tooltip: { trigger: 'axis' },
      // The axis has no zone to be told: it is drawn in UTC, by moments that are put ahead as the workshop's clock is.
      useUTC: true,
      xAxis: { type: 'time' },
      yAxis: { type: 'value', name: axis, nameTextStyle: { align: 'left' }, scale: true },
      series: [
        {
          type: 'line',
          name,
          symbol: 'none',
          connectNulls: false,
          data: points.map((it, i) => ({
            value: [it.timestamp + offsetAt(it.timestamp, zone), it.hashRate],
            // A line has two ends: what stands alone between gaps would not be seen.
            ...(isAlone(points, i) && { symbol: 'circle', symbolSize: 6 }),
          })),
        },
      ],
    }),
    [axis, name, points, zone],
  );
  const rates = points.flatMap((it) => (it.hashRate === null ? [] : [it.hashRate]));
  const description =
    rates.length === 0
      ? translate('bills.chart.none')
      : translate('bills.chart.told', {
          low: Math.min(...rates),
          high: Math.max(...rates),
          last: rates.at(-1) ?? 0,
          unit,
        });
  return (
    <>
      <Chart label={`${name}: ${axis}. ${description}`} height={HEIGHT} option={option} />
      <Box role="status" sx={{ mt: 1, color: 'text.secondary' }}>
        {description}
      </Box>
    </>
  );
}
