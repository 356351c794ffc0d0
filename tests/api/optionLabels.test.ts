import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Column } from '#app/engine/wire.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';

let testApp: TestApp;
beforeAll(async () => void (testApp = await startTestApp()));
afterAll(() => testApp.close());

/** Under these names the cross-cutting enumerations travel. Rule: wire#enumerations. */
const crossCutting: Record<string, string> = {
  deliverStatus: 'deliverStatus',
  deliverPriority: 'deliverPriority',
  deliverPayment: 'deliverPayment',
  returness: 'returness',
  packConfirm: 'packConfirm',
  ivyId: 'nodes',
  fromNode: 'nodes',
  toNode: 'nodes',
  dutySourse: 'dutySourse',
};

it('every coded column of every list comes with the labels of its codes, in the language that was asked for [P-ENU-09]', async () => {
  const seen = { coded: 0, cross: new Set<string>() };
  for (const definition of testApp.model.definitions.values()) {
    const shown = definition.list?.columns ?? [];
    for (const name of shown.filter((it) => Object.hasOwn(crossCutting, it))) {
      expect([definition.module, name, definition.fields[name]?.options]).toEqual([
        definition.module,
        name,
        crossCutting[name],
      ]);
      seen.cross.add(crossCutting[name] as string);
    }
    const coded = shown.filter((it) => definition.fields[it]?.options);
    if (coded.length === 0) continue;
    for (const lang of ['zh', 'en'] as const) {
      const { data } = await testApp.ask<{ columns: Column[] }>(
        'GET',
        `/api/${definition.module}/pager.json`,
        { pageCount: 1 },
        { as: 'admin', lang },
      );
      for (const name of coded) {
        const list = testApp.model.options[definition.fields[name]?.options ?? ''] ?? [];
        const column = data.columns.find((it) => it.name === name);
        expect([definition.module, name, column?.options]).toEqual([
          definition.module,
          name,
          list.map(({ value, label, tone }) => ({ value, optionName: label[lang], ...(tone && { tone }) })),
        ]);
        seen.coded += 1;
      }
    }
  }
  expect(seen.coded).toBeGreaterThan(60);
  expect([...seen.cross].sort()).toEqual(
    'deliverPayment deliverPriority deliverStatus dutySourse nodes returness'.split(' '),
  );
});
