// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { openPage, refuses } from '#app/parts/openPage.tsx';
import HashRateDialog from './HashRateDialog.tsx';
import { styleOf } from '#app/testing/styles.ts';

const drawn: unknown[] = [];
vi.mock('#app/parts/Chart.tsx', () => ({
  default: ({ label, option }: { label: string; option: unknown }) => {
    drawn.push(option);
    return <div role="img" aria-label={label} />;
  },
}));

const paths = { user: '/api/userSpeed/userSpeedChart.json', worker: '/api/userWorker/userWorkerSpeedChart.json' };
const chart = {
  unit: 'TH/s',
  point: [
    { timestamp: 1000, hashRate: 95 },
    { timestamp: 2000, hashRate: null },
    { timestamp: 3000, hashRate: 97.5 },
  ],
};
const opens = (module: string, row: object, answer: unknown = chart) =>
  openPage(
    <HashRateDialog
      menuNo={`${module}List`}
      module={module}
      button={{ id: 1, btnNo: 'chart', btnName: 'Hash-rate chart', btnScript: 'chart' }}
      rows={[{ id: 1, ...row }]}
      isForAll={false}
      matching={{ total: 0, query: {}, condition: null, sort: {}, columns: [] }}
      onDone={vi.fn()}
      onClose={vi.fn()}
    />,
    { lang: 'en', answers: { [paths.user]: answer, [paths.worker]: answer } },
  );

describe('the chart of a hash rate', () => {
  it('draws the rate over time with its unit, a gap where nothing was reported, 1200 wide [P-CHT-02, P-FRM-12, P-FRM-13] [S-CHT-01]', async () => {
    const { callsTo } = await opens('userSpeed', { userOid: 'RACK', name: 'Rack 1' });
    const picture = await screen.findByRole('img');
    expect(picture.getAttribute('aria-label')).toContain('Hash rate per hour (TH/s)');
    expect(drawn.at(-1)).toMatchObject({
      xAxis: { type: 'time' },
      yAxis: { name: 'Hash rate per hour (TH/s)' },
      series: [
        {
          type: 'line',
          connectNulls: false,
          // Both stand alone: a line between them would say what nobody reported.
          data: [
            { value: [1000, 95], symbol: 'circle' },
            { value: [2000, null] },
            { value: [3000, 97.5], symbol: 'circle' },
          ],
        },
      ],
    });
    expect(screen.getByText('Lowest 95, highest 97.5, latest 97.5 TH/s')).toBeTruthy();
    expect(styleOf(screen.getByRole('dialog')).maxWidth).toBe('1200px');
    expect(callsTo(paths.user)[0]?.input).toMatchObject({ userOid: 'RACK', interval: 'hour' });
  });

  it('of a machine asks by machine and account, and anew for another interval [P-CHT-01] [S-CHT-01]', async () => {
    const { user, callsTo } = await opens('userWorker', { workerId: 'W1', userOid: 'RACK' });
    await screen.findByRole('img');
    await user.click(screen.getByRole('button', { name: 'Day' }));
    await waitFor(() => expect(callsTo(paths.worker)).toHaveLength(2));
    expect(callsTo(paths.worker).map((it) => it.input)).toMatchObject([
      { workerId: 'W1', userOid: 'RACK', interval: 'hour' },
      { workerId: 'W1', userOid: 'RACK', interval: 'day' },
    ]);
  });

  it('marks no point that a line leads to', async () => {
    const rates = [null, 95, 96, null, 97, null];
    const point = rates.map((hashRate, i) => ({ timestamp: i, hashRate }));
    await opens('userSpeed', { userOid: 'RACK' }, { unit: 'TH/s', point });
    await screen.findByRole('img');
    const { series } = drawn.at(-1) as { series: [{ symbol: string; data: { symbol?: string }[] }] };
    expect(series[0].symbol).toBe('none');
    expect(series[0].data.map((it) => it.symbol)).toEqual([...Array(4).fill(undefined), 'circle', undefined]);
  });

  it('names its y axis by the interval and the unit [S-CHT-02]', async () => {
    const { user } = await opens('userSpeed', { userOid: 'RACK', name: 'Rack 1' });
    await screen.findByRole('img');
    for (const [button, name] of [
      ['Minute', 'Hash rate per minute (TH/s)'],
      ['Hour', 'Hash rate per hour (TH/s)'],
      ['Day', 'Hash rate per day (TH/s)'],
    ] as const) {
      await user.click(screen.getByRole('button', { name: button }));
      await waitFor(() => expect(drawn.at(-1)).toMatchObject({ yAxis: { name } }));
    }
  });

  it('says why there is none, and that nothing was reported', async () => {
    const first = await opens('userSpeed', { userOid: 'RACK' }, refuses('notFound', 'Account RACK does not exist'));
    expect((await screen.findByRole('alert')).textContent).toContain('does not exist');
    first.unmount();
    await opens('userSpeed', { userOid: 'RACK' }, { unit: 'TH/s', point: [{ timestamp: 1, hashRate: null }] });
    expect(await screen.findByText('No data were reported in this period')).toBeTruthy();
  });
});
