import { useEffect, useRef } from 'react';
import { BarChart, LineChart } from 'echarts/charts';
import { AriaComponent, GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import { init, use as register, type EChartsCoreOption } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import Box from '@mui/material/Box';
import { useTheme, type Theme } from '@mui/material/styles';

register([BarChart, LineChart, GridComponent, TooltipComponent, LegendComponent, AriaComponent, SVGRenderer]);

interface ChartProps {
  /** What a screen reader says of it. */
  label: string;
  option: EChartsCoreOption;
  height?: number;
  /** A bar or a point was clicked: its place on the axis, and of which series it is. */
  onPick?: (index: number, series: number) => void;
}

/** One chart of echarts in the colours of the theme. A chunk of its own: only who shows a chart loads it. */
export default function Chart({ label, option, height = 240, onPick }: ChartProps) {
  const container = useRef<HTMLDivElement>(null);
  const picked = useRef(onPick);
  const theme = useTheme();
  useEffect(() => {
    picked.current = onPick;
  });
  useEffect(() => {
    const element = container.current;
    if (!element) return;
    let chart: ReturnType<typeof init> | undefined;
    // On a page that is kept out of sight it has no size yet.
    const draw = () => {
      if (chart) return chart.resize();
      if (element.clientWidth === 0) return;
      chart = init(element, themeOf(theme), { renderer: 'svg' });
      chart.on('click', (event) => picked.current?.(event.dataIndex, event.seriesIndex ?? 0));
      chart.setOption({ animation: false, ...option });
    };
    draw();
    const watcher = new ResizeObserver(draw);
    watcher.observe(element);
    return () => {
      watcher.disconnect();
      chart?.dispose();
    };
  }, [option, theme]);
  return <Box ref={container} role="img" aria-label={label} sx={{ height, width: '100%' }} />;
}

function themeOf({ palette, typography }: Theme): object {
  const axis = {
    axisLine: { lineStyle: { color: palette.divider } },
    axisTick: { show: false },
    axisLabel: { color: palette.text.secondary, fontSize: 12 },
    splitLine: { lineStyle: { color: palette.divider } },
  };
  return {
    color: [palette.primary.main, palette.warning.main, palette.error.main, palette.info.main],
    backgroundColor: 'transparent',
    // The numbers of the axes stand within what a chart calls its grid.
    grid: { outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    textStyle: { fontFamily: typography.fontFamily, color: palette.text.primary },
    legend: { textStyle: { color: palette.text.secondary } },
    tooltip: {
      backgroundColor: palette.background.paper,
      borderColor: palette.divider,
      textStyle: { color: palette.text.primary, fontSize: 12 },
    },
    categoryAxis: { ...axis, splitLine: { show: false } },
    valueAxis: { ...axis, axisLine: { show: false } },
    timeAxis: axis,
  };
}
