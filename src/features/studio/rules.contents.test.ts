import { expect, it } from 'vitest';
import type { DefinitionChange } from '#domain/definition/change.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { dropField } from './rules.ts';
import { answerContents, renameHeld } from './rules.contents.ts';

const words = (en: string) => ({ zh: en, en });
const fax = { type: 'String', label: words('Fax') } as const;
const current = { fields: { fax2: fax, siteId: fax } } as unknown as Definition;

it('an answer stands in the change, is given anew and taken out without a trace', () => {
  const change: DefinitionChange = { fields: { fax } };
  const kept = answerContents(change, 'fax', 'keep');
  expect(kept).toEqual({ ...change, contents: { fields: { fax: 'keep' } } });
  const both = answerContents(answerContents(kept, undefined, 'empty'), 'fax', 'empty');
  expect(both.contents).toEqual({ table: 'empty', fields: { fax: 'empty' } });
  expect(answerContents(both, undefined, null).contents).toEqual({ fields: { fax: 'empty' } });
  expect(answerContents(kept, 'fax', null)).toEqual(change);
  expect(dropField(kept, current, 'fax')).toEqual({});
});

it('another name of a field is free, and stands wherever the change named the field', () => {
  const when = { fax: '1' };
  const change: DefinitionChange = {
    fields: {
      fax: { ...fax, ref: { module: 'ubsSite', value: 'fax', label: 'fax', within: { field: 'fax', of: 'fax' } } },
      dial: { ...fax, computed: `fax + "fax" + faxed`, visibleWhen: when, maxField: 'fax', requiredWhen: null },
    },
    search: ['fax', 'siteId'],
    list: {
      ...{ columns: ['siteId', 'fax'], shown: ['fax'], sort: '-fax', totals: ['fax'], tabs: 'fax' },
      ...{ under: { siteId: 'fax' }, groups: [{ label: words('fax'), columns: ['fax'] }] },
    },
    form: [['siteId'], ['fax']],
    detail: ['fax'],
    indexes: [['fax', 'siteId']],
    lines: [{ name: 'fax', module: 'fax', by: 'fax' }],
    buttons: { fax: { script: 'fax', label: words('fax'), when, field: 'fax', by: ['fax'] } },
    options: { fax: [{ value: 'fax', label: words('fax') }] },
    rights: { tech: ['fax'] },
    contents: { fields: { fax: 'empty' } },
  };
  const renamed = renameHeld(change, current, 'fax');
  expect(renamed.name).toBe('fax3');
  const asked = { fax3: '1' };
  expect(renamed.change).toEqual({
    fields: {
      fax3: { ...fax, ref: { module: 'ubsSite', value: 'fax', label: 'fax', within: { field: 'fax', of: 'fax3' } } },
      dial: { ...fax, computed: `fax3 + "fax" + faxed`, visibleWhen: asked, maxField: 'fax3', requiredWhen: null },
    },
    search: ['fax3', 'siteId'],
    list: {
      ...{ columns: ['siteId', 'fax3'], shown: ['fax3'], sort: '-fax3', totals: ['fax3'], tabs: 'fax3' },
      ...{ under: { siteId: 'fax3' }, groups: [{ label: words('fax'), columns: ['fax3'] }] },
    },
    form: [['siteId'], ['fax3']],
    detail: ['fax3'],
    indexes: [['fax3', 'siteId']],
    lines: [{ name: 'fax', module: 'fax', by: 'fax3' }],
    buttons: { fax: { script: 'fax', label: words('fax'), when: asked, field: 'fax3', by: ['fax3'] } },
    options: change.options,
    rights: change.rights,
  });
  expect(renameHeld(renamed.change, current, 'fax3').name).toBe('fax4');
});

it('another name of a table is the next one', () => {
  const change = { definition: { table: 'salaries' }, contents: { table: 'keep' } } as unknown as DefinitionChange;
  const once = renameHeld(change, null, undefined);
  expect(once.change).toEqual({ definition: { table: 'salaries_2' } });
  expect(renameHeld(once.change, null, undefined).name).toBe('salaries_3');
  const named = { definition: { table: 'tool_loan' } } as unknown as DefinitionChange;
  expect(renameHeld(named, null, undefined).name).toBe('tool_loan_2');
});
