import { useMemo } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { useTranslate } from 'ra-core';
import type { EChartsCoreOption } from 'echarts/core';
import Box from '@mui/material/Box';
import { EMPTY, workshopZone } from '#app/fields/format.ts';
import { cardSx } from '#app/home/CountCard.tsx';
import type { Card, Month, Week } from '#app/home/dashboard.ts';
import { useDrillAddress } from '#app/parts/listPage.ts';
import Chart from '#app/parts/Chart.tsx';
import { useLanguage } from '#app/session.ts';
import { dayWords } from '#domain/day.ts';
import type { Drill } from '#domain/wire.ts';

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

/** What a bar, or a part of one, counts. */
interface Figure {
  count: number;
  /** The rows that it counts. */
  drill: Drill | undefined;
  /** In words, for who does not see the bars. */
  description: string;
}

interface FrameProps {
  title: string;
  /** At each place of the axis, those of each series. */
  figures: readonly (readonly Figure[])[];
  option: EChartsCoreOption;
}

/** A chart with its question; each of its figures opens the rows that it counts, by mouse or from the list behind it. */
function Frame({ title, figures, option }: FrameProps) {
  const navigate = useNavigate();
  const addressOf = useDrillAddress();
  const told = figures.flat().filter((it) => it.count > 0);
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
        onPick={(index, series) => {
          const at = figures[index];
          const address = addressOf((at?.[series] ?? at?.[0])?.drill);
          if (address !== undefined) void navigate(address);
        }}
      />
      <Box
        component="ul"
        sx={{
          m: 0,
          p: 0,
          listStyle: 'none',
          '& :is(a, span):not(:focus-visible)': {
            position: 'absolute',
            width: '1px',
            height: '1px',
            overflow: 'hidden',
            clipPath: 'inset(50%)',
          },
          '& a': { fontSize: 12, color: 'primary.main' },
        }}
      >
        {told.map(({ drill, description }) => {
          const address = addressOf(drill);
          return (
            <li key={description}>
              {address === undefined ? <span>{description}</span> : <Link to={address}>{description}</Link>}
            </li>
          );
        })}
      </Box>
    </Box>
  );
}

/** What waits where, and for how long. */
function WaitingChart({ cards, labels }: { cards: readonly Card[]; labels: Record<string, string> }) {
  const translate = useTranslate();
  const ages = ['short', 'days', 'long'] as const;
  const names = cards.map((it) => labels[it.node] ?? it.node);
  const figures = cards.map(({ waiting, drills }, i) =>
    ages.map((age) => {
      const words = { node: names[i], age: translate(`shell.home.age.${age}`), smart_count: waiting[age] };
      return { count: waiting[age], drill: drills[age], description: translate('shell.home.waitTold', words) };
    }),
  );
  const option = useStable(() => ({
    grid: { left: 8, right: 8, top: 32, bottom: 4 },
    legend: { top: 0, left: 0, itemWidth: 12, itemHeight: 8 },
    tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } },
    // Lying, so that a node's name has room in both languages.
    yAxis: { type: 'category', inverse: true, data: names },
    xAxis: { type: 'value', minInterval: 1 },
    series: ages.map((age) => ({
      type: 'bar',
      stack: 'age',
      name: translate(`shell.home.age.${age}`),
      barMaxWidth: 20,
      data: cards.map((it) => it.waiting[age]),
    })),
  }));
  return <Frame title={translate('shell.home.waitingChart')} figures={figures} option={option} />;
}

/** How long it takes from receipt to delivery, by the week of the delivery. */
function TurnaroundChart({ weeks }: { weeks: readonly Week[] }) {
  const translate = useTranslate();
  const dayOf = useDay({ month: 'numeric', day: 'numeric' });
  // Both numbers of a week are of the same units.
  const figures = weeks.map(({ from, delivered, middle, slow, drills }) => {
    const words = { day: dayOf(from), smart_count: delivered, middle: middle ?? EMPTY, slow: slow ?? EMPTY };
    return [{ count: delivered, drill: drills.delivered, description: translate('shell.home.weekTold', words) }];
  });
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
    xAxis: { type: 'category', data: weeks.map((it) => dayOf(it.from)) },
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
  return <Frame title={translate('shell.home.turnaround')} figures={figures} option={option} />;
}

/** What comes back: units that customers sent in after they had been repaired here shortly before, by month. */
function ReturnsChart({ months }: { months: readonly Month[] }) {
  const translate = useTranslate();
  const monthOf = useDay({ year: '2-digit', month: 'short' });
  const kinds = ['first', 'again'] as const;
  const figures = months.map(({ from, drills, ...counts }) =>
    kinds.map((kind) => {
      const words = { month: monthOf(from), what: translate(`shell.home.${kind}`), smart_count: counts[kind] };
      return { count: counts[kind], drill: drills[kind], description: translate('shell.home.monthTold', words) };
    }),
  );
  const option = useStable(() => ({
    grid: { left: 8, right: 8, top: 32, bottom: 4 },
    legend: { top: 0, left: 0, itemWidth: 12, itemHeight: 8 },
    tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } },
    xAxis: { type: 'category', data: months.map((it) => monthOf(it.from)) },
    yAxis: { type: 'value', minInterval: 1 },
    series: kinds.map((kind) => ({
      type: 'bar',
      stack: 'all',
      name: translate(`shell.home.${kind}`),
      barMaxWidth: 36,
      data: months.map((it) => it[kind]),
    })),
  }));
  return <Frame title={translate('shell.home.returns')} figures={figures} option={option} />;
}

/** The calendar day of the workshop on which a week or month begins, whatever the reader's zone. Rule: wire#days. */
function useDay(parts: Intl.DateTimeFormatOptions): (at: number) => string {
  const language = useLanguage() === 'zh' ? 'zh-CN' : 'en-US';
  return (at) => dayWords(at, workshopZone(), language, parts);
}

/** The same object while it says the same, so that the chart is drawn only when something changed. */
function useStable(make: () => EChartsCoreOption): EChartsCoreOption {
  const text = JSON.stringify(make());
  return useMemo(() => JSON.parse(text) as EChartsCoreOption, [text]);
}
