// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { factsOf } from '#app/engine/factsOf.tsx';
import type { Column } from '#app/engine/wire.ts';
import { openPage } from '#app/parts/openPage.tsx';
import { Cell } from './Cell.tsx';
import { momentOf } from './format.ts';

it('an age says how long ago it is, and since when to whom points at it', async () => {
  const since = Date.now() - (5 * 24 + 3) * 3_600_000;
  const column = { name: 'pendingTime', type: 'dateTime', format: 'age', label: '' } as const;
  await openPage(<Cell column={column} value={since} />, { lang: 'en' });
  expect((await screen.findByTitle(momentOf(since))).textContent).toBe('5 d 3 h');
});

it.each([
  ['SF1', 'SF1'],
  ['SKB2026112100001', ''],
])('a waybill %s is shown as %j: a stock-up bill’s own number only stands in for one', async (value, text) => {
  const column = { name: 'deliverShipNo', type: 'String', format: 'code', label: 'Outbound waybill' } as const;
  const [fact] = factsOf({ columns: [column], row: { id: 1, deliverShipNo: value } });
  await openPage(
    <>
      <p title="cell">
        <Cell column={column} value={value} />
      </p>
      <p title="fact">{fact?.value}</p>
    </>,
  );
  expect((await screen.findByTitle('cell')).textContent).toBe(text);
  expect(screen.getByTitle('fact').textContent).toBe(text);
});

it.each([
  ['QC00', 'Inspection passed', null],
  ['QC01', 'QC01', 'code'],
])('an issue %s is shown as %s: what passed is no code', async (value, text, className) => {
  const column: Column = { name: 'icdId', type: 'LongString', format: 'issueCodes', label: 'Issue code' };
  const labels = { icdId: { QC00: 'Inspection passed', QC01: 'QC01' } };
  await openPage(<Cell column={column} value={value} labels={labels} />);
  expect((await screen.findByText(text)).closest('[class]')?.className.includes('code') ? 'code' : null).toBe(
    className,
  );
});
