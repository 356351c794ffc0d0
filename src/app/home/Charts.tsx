import { useMemo } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { useTranslate } from 'ra-core';
import type { EChartsCoreOption } from 'echarts/core';
import Box from '@mui/material/Box';
import { EMPTY, listed, workshopZone } from '#app/fields/format.ts';
import { cardSx } from '#app/home/CountCard.tsx';
import { INVENTORY, type Card, type Month, type Week } from '#app/home/dashboard.ts';
import { addressOfList } from '#app/parts/listPage.ts';
import Chart from '#app/parts/Chart.tsx';
import { useLanguage } from '#app/session.ts';

const HEIGHT = 240;

interface ChartsProps {
  /** The nodes at which units wait. */
  cards: readonly Card[];
  labels: Record<string, string>;
  weeks: readonly Week[];
  months: readonly Month[];
}

/** What waits where, how long it takes, and what comes back. */
export default function Charts({ cards, labels, weeks, months }: ChartsProps) {
  return (
    <>
      <WaitingChart cards={cards} labels={labels} />
      <TurnaroundChart weeks={weeks} />
      <ReturnsChart months={months} />
    </>
  );
}

interface Bar {
  label: string;
  address: string;
  /** In words, for who does not see the bars. */
  description: string;
}

interface FrameProps {
  title: string;
  bars: readonly Bar[];
  option: EChartsCoreOption;
}

/** A chart with its question; each of its bars opens the list that it counts, by mouse or from the list behind it. */
function Frame({ title, bars, option }: FrameProps) {
  const navigate = useNavigate();
  return (
    <Box
      component="section"
      aria-label={title}
      sx={{ ...cardSx, alignItems: 'stretch', justifyContent: 'start', gap: 2 }}
    >
      <Box component="h2" sx={{ m: 0, fontSize: 14, fontWeight: 600 }}>
        {title}
      </Box>
      <Chart
        label={title}
        height={HEIGHT}
        option={option}
        onPick={(index) => {
          const bar = bars[index];
          if (bar) void navigate(bar.address);
        }}
      />
      <Box
        component="ul"
        sx={{
          m: 0,
          p: 0,
          listStyle: 'none',
          '& a:not(:focus-visible)': {
            position: 'absolute',
            width: '1px',
            height: '1px',
            overflow: 'hidden',
            clipPath: 'inset(50%)',
          },
          '& a': { fontSize: 12, color: 'primary.main' },
        }}
      >
        {bars.map((it) => (
          <li key={it.label}>
            <Link to={it.address}>{it.description}</Link>
          </li>
        ))}
      </Box>
    </Box>
  );
}

/** What waits where, and for how long. */
function WaitingChart({ cards, labels }: { cards: readonly Card[]; labels: Record<string, string> }) {
  const translate = useTranslate();
  const ages = ['short', 'days', 'long'] as const;
  const bars = cards.map((it) => {
    const label = labels[it.node] ?? it.node;
    const description = listed(ages.map((age) => `${translate(`shell.home.age.${age}`)} ${it.waiting[age]}`));
    return { label, address: addressOfList(INVENTORY, { ivyId: it.node }), description: `${label}: ${description}` };
  });
  const option = useStable(() => ({
    grid: { left: 8, right: 8, top: 32, bottom: 4 },
    legend: { top: 0, left: 0, itemWidth: 12, itemHeight: 8 },
    tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } },
    // Lying, so that a node's name has room in both languages.
    yAxis: { type: 'category', inverse: true, data: bars.map((it) => it.label) },
    xAxis: { type: 'value', minInterval: 1 },
    series: ages.map((age) => ({
      type: 'bar',
      stack: 'age',
      name: translate(`shell.home.age.${age}`),
      barMaxWidth: 20,
      data: cards.map((it) => it.waiting[age]),
    })),
  }));
  return <Frame title={translate('shell.home.waitingChart')} bars={bars} option={option} />;
}

/** How long it takes from receipt to delivery, by the week of the delivery. */
function TurnaroundChart({ weeks }: { weeks: readonly Week[] }) {
  const translate = useTranslate();
  const dayOf = useDay({ month: 'numeric', day: 'numeric' });
  const bars = weeks.map((it) => ({
    label: dayOf(it.from),
    address: addressOfList('rmaDeliverBillList', { createTimeStart: it.from, createTimeEnd: it.to }),
    description: translate('shell.home.weekTold', {
      day: dayOf(it.from),
      count: it.delivered,
      middle: it.middle ?? EMPTY,
      slow: it.slow ?? EMPTY,
    }),
  }));
  const line = (name: string, values: readonly (number | null)[]) => ({
    type: 'line',
    name,
    data: values,
    symbolSize: 8,
  });
  const option = useStable(() => ({
    grid: { left: 8, right: 8, top: 32, bottom: 4 },
    legend: { top: 0, left: 0, itemWidth: 12, itemHeight: 8 },
    tooltip: { trigger: 'axis' },
    xAxis: { type: 'category', data: bars.map((it) => it.label) },
    yAxis: { type: 'value', min: 0 },
    series: [
      line(
        translate('shell.home.middle'),
        weeks.map((it) => it.middle),
      ),
      line(
        translate('shell.home.slow'),
        weeks.map((it) => it.slow),
      ),
    ],
  }));
  return <Frame title={translate('shell.home.turnaround')} bars={bars} option={option} />;
}

/** What comes back: received units that had been repaired here shortly before, by month. */
function ReturnsChart({ months }: { months: readonly Month[] }) {
  const translate = useTranslate();
  const monthOf = useDay({ year: '2-digit', month: 'short' });
  const bars = months.map((it) => ({
    label: monthOf(it.from),
    address: addressOfList('rmaReceiveBillList', { createTimeStart: it.from, createTimeEnd: it.to }),
    description: translate('shell.home.monthTold', { month: monthOf(it.from), received: it.received, again: it.again }),
  }));
  const option = useStable(() => ({
    grid: { left: 8, right: 8, top: 32, bottom: 4 },
    legend: { top: 0, left: 0, itemWidth: 12, itemHeight: 8 },
    tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } },
    xAxis: { type: 'category', data: bars.map((it) => it.label) },
    yAxis: { type: 'value', minInterval: 1 },
    series: [
      {
        type: 'bar',
        stack: 'all',
        name: translate('shell.home.first'),
        barMaxWidth: 36,
        data: months.map((it) => it.received - it.again),
      },
      {
        type: 'bar',
        stack: 'all',
        name: translate('shell.home.again'),
        barMaxWidth: 36,
        data: months.map((it) => it.again),
      },
    ],
  }));
  return <Frame title={translate('shell.home.returns')} bars={bars} option={option} />;
}

/** The calendar day of the workshop on which a week or month begins, whatever the reader's zone. Rule: wire#days. */
function useDay(format: Intl.DateTimeFormatOptions): (at: number) => string {
  const language = useLanguage();
  const formatter = new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-US', {
    ...format,
    timeZone: workshopZone(),
  });
  return (at) => formatter.format(at);
}

/** The same object while it says the same, so that the chart is drawn only when something changed. */
function useStable(make: () => EChartsCoreOption): EChartsCoreOption {
  const text = JSON.stringify(make());
  return useMemo(() => JSON.parse(text) as EChartsCoreOption, [text]);
}
