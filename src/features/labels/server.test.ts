import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LabelKind } from '#domain/labelRule.ts';
import { labelRulesOfSite } from '#domain/lookups.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { expectNo } from '#tests/support/guard.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

const rule = { name: 'QR', kind: LabelKind.Template, template: 'https://qr.example.com/d/{sn}', seq: 10, enabled: '1' };
const post = (action: string, body: object, as = 'office') =>
  testApp.ask<{ id: number }>('POST', `/api/ubsLabelRule/${action}.json`, body, { as });
const rulesFor = async (as: string) =>
  (await testApp.send(labelRulesOfSite, {}, { as })).data.items.map(({ id: _, ...it }) => it);

describe('the rules for labels', () => {
  it('are set by who manages a site, and by nobody at a station', async () => {
    await expectNo('401', () => testApp.ask('POST', '/api/ubsLabelRule/create.json', rule));
    await expectNo('100013', () => post('create', rule, 'tech'));
  });

  it.each([
    [{ ...rule, template: 'https://qr.example.com/d/' }, 'template'],
    [{ ...rule, template: '' }, 'template'],
    [{ ...rule, template: '*a*b{sn}' }, 'template'],
    [{ ...rule, template: '*{sn}' }, 'template'],
    [{ ...rule, template: '%{sn}' }, 'template'],
    [{ ...rule, template: '21{sn}' }, 'snLength'],
    [{ ...rule, template: '21{sn}', snLength: 7 }, 'snLength'],
    [{ ...rule, kind: LabelKind.Elements, template: null }, 'snLength'],
  ])('are refused in a sentence and kept nowhere: %j', async (sent, field) => {
    const { code, msg, problems } = await readRefusal(sent);
    expect(code).not.toBe('000000');
    expect(msg).not.toBe('');
    expect(problems).toContain(field);
    expect(await rulesFor('tech')).toEqual([]);
  });

  it('belong to their site, and are read there in their order by everybody who scans, as long as they are in use', async () => {
    expect((await post('create', { ...rule, name: 'second', seq: 20 })).code).toBe('000000');
    expect((await post('create', { ...rule, name: 'first', seq: 5, template: '21{sn}', snLength: 17 })).code).toBe(
      '000000',
    );
    expect((await post('create', { ...rule, name: 'off', enabled: '0' })).code).toBe('000000');
    // Whoever has one site can't give a rule to another.
    expect((await post('create', { ...rule, name: 'third', seq: 30, siteId: 'NB' })).code).toBe('000000');
    expect(await rulesFor('tech')).toEqual([
      { name: 'first', kind: '1', template: '21{sn}', snLength: 17 },
      { name: 'second', kind: '1', template: rule.template, snLength: null },
      { name: 'third', kind: '1', template: rule.template, snLength: null },
    ]);
    expect(await rulesFor('whNB')).toEqual([]);
    expect((await post('create', { ...rule, name: 'first' })).code).toBe('100007');
  });
});

async function readRefusal(sent: object) {
  const { code, msg, data } = await post('create', sent);
  const problems = ((data as unknown as { problems?: { field?: string }[] } | null)?.problems ?? []).map(
    (it) => it.field,
  );
  return { code, msg, problems };
}
