import { describe, expect, it } from 'vitest';
import type { Definition, Field, Model } from '#domain/definition/grammar.ts';
import { toldOverSites, validateKeys } from '#domain/definition/keys.ts';

const label = { zh: '名', en: 'Name' };
const text = (more: Partial<Field> = {}): Field => ({ type: 'String', label, ...more });
const made = (module: string, fields: Record<string, Field>, more: Partial<Definition> = {}): Definition => ({
  ...{ module, label, table: module, site: 'all', fields },
  ...more,
});
const modelOf = (...definitions: Definition[]): Model => ({
  ...{ definitions: new Map(definitions.map((it) => [it.module, it])), options: {}, menu: [], roles: [] },
});
const told = (before: Definition[], after: Definition[], changed = after.map((it) => it.module)) =>
  validateKeys(modelOf(...before), modelOf(...before, ...after), changed).map(
    (it) => `${it.where} ${it.path}: ${it.rule} ${it.name}`,
  );

const shared = made('bill', { code: text(), siteId: text() }, { site: ['siteId'] });
const alone = made('bill', { code: text({ unique: true }), siteId: text() }, { site: ['siteId'] });
const child = made('line', { code: text() }, { site: { through: 'bill', by: 'code' } });
const inPart = made('part', { code: text(), v: text({ site: { through: 'bill', by: 'code' } }) });

describe('what is seen through a row', () => {
  it('is told where rows may share its key, by whichever of the two', () => {
    expect(told([], [shared, child, inPart])).toEqual([
      'line site: throughShared code',
      'part fields.v.site: throughShared code',
    ]);
    expect(told([shared], [child])).toEqual(['line site: throughShared code']);
    expect(told([], [alone, child, inPart])).toEqual([]);
    expect(told([alone, child], [shared])).toEqual(['bill fields.code.unique: throughShared code']);
    expect(told([alone, inPart], [shared])).toEqual(['bill fields.code.unique: throughShared code']);
  });

  it('is told of the rows of which the one above is a list, and by the field there', () => {
    const listed = made('open', { code: text() }, { table: 'bill', rowsOf: { module: 'bill', when: {} } });
    const under = made('line', { no: text() }, { site: { through: 'open', by: 'no', as: 'code' } });
    expect(told([shared, listed], [under])).toEqual(['line site: throughShared code']);
    expect(told([alone, listed], [under])).toEqual([]);
    expect(told([alone, listed, under], [shared])).toEqual(['bill fields.code.unique: throughShared code']);
  });

  it('is told of lists of lists, where each says that it is unique', () => {
    const uniqueIn = (module: string, of: string) =>
      made(module, { code: text({ unique: true }) }, { table: 'bill', rowsOf: { module: of, when: {} } });
    const lists = [uniqueIn('one', 'bill'), uniqueIn('two', 'one')];
    const under = made('line', { code: text() }, { site: { through: 'two', by: 'code' } });
    expect(told([shared, ...lists], [under])).toEqual(['line site: throughShared code']);
    expect(told([alone, ...lists], [under])).toEqual([]);
    expect(told([alone, ...lists, under], [shared])).toEqual(['bill fields.code.unique: throughShared code']);
  });

  it('is shared still where two fields together are unique', () => {
    const pair = { ...shared, unique: [['code', 'siteId']] };
    expect(told([pair], [child])).toEqual(['line site: throughShared code']);
    expect(told([{ ...shared, unique: [['code']] }], [child])).toEqual([]);
  });

  it('is not asked again of what is in force', () => {
    expect(told([shared, child], [{ ...child, label }])).toEqual([]);
    expect(told([shared, child], [{ ...shared, label }])).toEqual([]);
  });
});

describe('a value of some sites', () => {
  it('is no key, nor in one', () => {
    const v = text({ unique: true, site: { through: 'bill', by: 'code' } });
    expect(told([alone], [made('part', { code: text(), v })])).toEqual(['part fields.v.unique: uniqueOfSites v']);
    const pair = { ...inPart, unique: [['code', 'v']] };
    expect(told([alone], [pair])).toEqual(['part unique: uniqueOfSites v']);
    expect(told([alone, pair], [{ ...pair, label }])).toEqual([]);
  });
});

it('a key over rows that not everybody sees is told where somebody enters it', () => {
  const unique = text({ unique: true });
  const of = (more: Partial<Definition>, fields: Record<string, Field> = { code: unique }) =>
    toldOverSites(made('bill', { siteId: text(), name: text(), by: text(), ...fields }, more)).map((it) =>
      it.join(' '),
    );
  const here = { site: ['siteId'] };
  expect(of({})).toEqual([]);
  expect(of(here)).toEqual(['fields.code.unique code']);
  expect(of({ site: { through: 'other', by: 'name' } })).toEqual(['fields.code.unique code']);
  expect(of({ owner: { field: 'by', unless: 'all' } })).toEqual(['fields.code.unique code']);
  expect(of({ ...here, number: { field: 'code', prefix: 'BLL' } })).toEqual([]);
  expect(of(here, { code: text({ unique: true, readOnly: true }) })).toEqual([]);
  expect(of({ ...here, unique: [['name', 'siteId']] }, {})).toEqual([]);
  expect(of({ ...here, unique: [['name', 'by']] }, {})).toEqual(['unique name']);
  expect(of({ site: ['siteId', 'by'], unique: [['name', 'siteId']] }, {})).toEqual(['unique name']);
});
