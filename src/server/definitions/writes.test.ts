import { describe, expect, it } from 'vitest';
import { validateChangeShape, type DefinitionChange } from '#domain/definition/change.ts';
import type { Button, Definition, Model } from '#domain/definition/grammar.ts';
import { layOver } from '#domain/definition/overlay.ts';
import { allowedRows, offeredRows, validateWrites, writingScripts } from '#domain/definition/writes.ts';
import { readModel } from '#server/definitions/read.ts';
import { sentFields } from '#server/engine/form.ts';
import { features, fixedRoutes, registers } from '#tests/support/features.ts';

const shipped = readModel(registers);
const definitions = [...shipped.definitions.values()];
const label = { zh: '新', en: 'New' };
const paths = new Set<string>(fixedRoutes.map((it) => it.call.path));
/** A module has a call or a workbook of its own by this name: the engine does nothing of it. */
const isOwn = ({ module }: Definition, script: string) =>
  paths.has(`/api/${module}/${script}.json`) || `${module}:${script}` in features.imports;
const shippedOf = (module: string) => shipped.definitions.get(module) as Definition;

const withModules = (...changed: Definition[]): Model => ({
  ...shipped,
  definitions: new Map([...shipped.definitions, ...changed.map((it) => [it.module, it] as const)]),
});
const told = (definition: Definition, before = shipped) =>
  validateWrites(before, withModules(definition), [definition.module]).map((it) => `${it.path} ${it.rule} ${it.name}`);
const adding = (module: string, button: Omit<Button, 'btnNo' | 'label'>): Definition => {
  const change = { buttons: { more: { label, ...button } } } as DefinitionChange;
  return layOver(shippedOf(module), change);
};
const made = (more: Partial<Definition>): Definition =>
  layOver(undefined, {
    definition: {
      ...{ module: 'made', label, table: 'made', site: 'all', fields: { rfbId: { type: 'String', label } } },
      ...more,
    },
  });

describe('what may be written to the rows of a shipped module', () => {
  it('is what its buttons write, in the same rows, and no more', () => {
    const said: string[] = [];
    const needed: string[] = [];
    for (const definition of definitions) {
      const { module, writes, buttons = [] } = definition;
      const own = buttons.filter(
        (it) => (writingScripts as string[]).includes(it.script) && !isOwn(definition, it.script),
      );
      for (const it of own) {
        const at = `${module}:${it.btnNo}`;
        expect([at, Object.entries(allowedRows(definition, it) ?? { nothing: '' })]).toEqual([
          at,
          Object.entries(it.when ?? {}),
        ]);
        needed.push(
          `${module} ${it.field ?? { upload: 'create', deleteById: 'delete', deleteAll: 'delete' }[it.script] ?? it.script}`,
        );
      }
      if (!writes) continue;
      expect([module, writes]).not.toEqual([module, 'all']);
      const { fill = [], ...deeds } = writes as Exclude<typeof writes, 'all'>;
      said.push(...[...Object.keys(deeds), ...fill].map((it) => `${module} ${it}`));
    }
    expect(said.toSorted()).toEqual([...new Set(needed)].toSorted());
    expect(said.length).toBeGreaterThan(80);
  });

  it('is no field that the work writes: a form that a change makes can ask for no more than the shipped one', () => {
    const written = definitions.filter(
      (it) => allowedRows(it, { script: 'create' }) ?? allowedRows(it, { script: 'modify' }),
    );
    const open = written.flatMap((definition) => {
      const asked = new Set(sentFields(definition).map(([name]) => name));
      return Object.entries(definition.fields)
        .filter(([name, it]) => !it.readOnly && !asked.has(name))
        .map(([name]) => `${definition.module}.${name}`);
    });
    expect(open).toEqual([]);
    expect(written.length).toBeGreaterThan(30);
  });

  it.each([
    ...['rmaInventory', 'rmaTransaction', 'icopTransaction', 'sysLedger', 'ubsSnChangeLog', 'ubsAssembly'],
    ...['rmaRepairFeeBillLine', 'rmaLogisticsCostsBillLine', 'rmaMaintainBillLine', 'rmaMaintainBillLineItem'],
    ...[
      'icopWip',
      'icopWipWafer',
      'sysServiceToken',
      'sysPublish',
      'rmaNofaultConfirm',
      'rmaDefectiveProductRepairBill',
    ],
  ])('is nothing for units, ledger, history, lines and what steps write: %s', (module) => {
    const [field = ''] = Object.keys(shippedOf(module).fields);
    expect(writingScripts.filter((script) => allowedRows(shippedOf(module), { script, field }))).toEqual([]);
  });
});

describe('a change that adds a button', () => {
  it('is refused unless the module allows its script, for every module, script and field', () => {
    let walked = 0;
    const wrong: unknown[] = [];
    for (const { module, fields } of definitions) {
      for (const script of writingScripts) {
        const isFill = script.startsWith('upload') && script !== 'upload';
        for (const field of isFill ? Object.keys(fields) : [undefined]) {
          walked += 1;
          const button = { script, ...(field !== undefined && { field }) };
          const refused = [`buttons.more.script scriptKept ${script}`];
          const expected = allowedRows(shippedOf(module), button) ? [] : refused;
          const found = told(adding(module, button));
          if (found.join() !== expected.join()) wrong.push([module, button, found]);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(walked).toBeGreaterThan(definitions.length * writingScripts.length);
  });

  it('fills no other field by a shipped button', () => {
    const altered = (module: string, btnNo: string, field: string) =>
      told(layOver(shippedOf(module), { buttons: { [btnNo]: { field } } }));
    expect(altered('rmaDeliverBill', 'uploadSignForTime', 'createTime')).toHaveLength(1);
    expect(altered('rmaSelfPickup', 'uploadDocument', 'selfPickupStatus')).toHaveLength(1);
    expect(altered('rmaSelfPickup', 'uploadDocument', 'documentUrls')).toEqual([]);
  });

  it('is offered for no more rows than the module allows, and for those that it names itself among them', () => {
    const offered = (module: string, button: Omit<Button, 'btnNo' | 'label'>) => offeredRows(shippedOf(module), button);
    expect(offered('rmaPriceBill', { script: 'deleteAll' })).toEqual({ billStatus: ['0', '1'] });
    expect(offered('rmaPriceBill', { script: 'deleteAll', when: { billStatus: ['1', '2'], currency: 'USD' } })).toEqual(
      {
        billStatus: ['1'],
        currency: 'USD',
      },
    );
    expect(offered('ubsSite', { script: 'deleteAll' })).toBeUndefined();
    expect(offered('rmaPriceBill', { script: 'void', when: { billStatus: '2' } })).toEqual({ billStatus: '2' });
  });

  it('says nothing of what its module allows', () => {
    expect(validateChangeShape({ writes: 'all' }, 'rmaInventory')).not.toEqual([]);
  });

  it('is not asked again for what is in force already', () => {
    const before = adding('rmaInventory', { script: 'modify' });
    expect(told(before)).toHaveLength(1);
    expect(told({ ...before, label }, withModules(before))).toEqual([]);
  });
});

describe('a module of an administrator’s own', () => {
  const field = 'rfbId';

  it('allows everything, unless its rows are another’s or it says so itself', () => {
    const allowedOf = (definition: Definition) =>
      writingScripts.filter((script) => allowedRows(definition, { script, field }));
    expect(allowedOf(made({}))).toEqual(writingScripts);
    expect(allowedOf(made({ writes: { create: true } }))).toEqual(['create', 'upload']);
    expect(allowedOf(made({ viewOf: ['ledger'], writes: 'all' }))).toEqual([]);
    const { module, table, site } = shippedOf('rmaRepairFeeBill');
    const list = made({
      ...{ rowsOf: { module, when: {} }, table, site, writes: 'all' },
      buttons: [{ btnNo: 'paper', script: 'uploadDocument', field, label }],
    });
    expect(allowedOf(list)).toEqual([]);
    expect(told(list)).toEqual(['buttons.paper.script scriptKept uploadDocument']);
  });

  it('takes no rows of another module along that this one keeps', () => {
    const owning = (module: string) => told(made({ lines: [{ name: 'them', module, by: field, owned: true }] }));
    expect(owning('rmaRepairFeeBillLine')).toEqual(['lines.them rowsStay rmaRepairFeeBillLine']);
    expect(owning('rmaPriceBill')).toEqual(['lines.them rowsStay rmaPriceBill']);
    expect(owning('ubsBomItem')).toEqual([]);
  });
});
