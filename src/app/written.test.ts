// @vitest-environment jsdom
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Call } from '#domain/call.ts';
import { announceScans } from '#domain/colleagues.ts';
import { boundsOf } from '#domain/definition/fieldBounds.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { RepairMethod, spendCountOf, validateRecord, validateSlots } from '#domain/repairRecord.ts';
import { parseSlots } from '#domain/slots.ts';
import { WRITTEN_AS } from '#domain/written.ts';
import { toRequestValues } from '#app/engine/formRules.ts';
import { send } from '#app/send.ts';
import { tries } from '#tests/support/tries.ts';

interface Shape {
  type?: string;
  const?: unknown;
  anyOf?: Shape[];
  items?: Shape;
  properties?: Record<string, Shape>;
  minimum?: number;
  [WRITTEN_AS]?: string;
}

/** Every text of an input by its path; what may be nothing or one of several is looked into. */
function textsOf(shape: Shape, path: string[] = []): { path: string[]; shape: Shape }[] {
  if (shape.anyOf) return shape.anyOf.flatMap((it) => textsOf(it, path));
  if (shape.items) return textsOf(shape.items, path);
  if (shape.properties) return Object.entries(shape.properties).flatMap(([name, it]) => textsOf(it, [...path, name]));
  return shape.type === 'string' ? [{ path, shape }] : [];
}

const isCall = (it: unknown): it is Call => typeof it === 'object' && it !== null && 'path' in it && 'input' in it;
/** Each contract's calls; one that is made for a module or a station is asked for one of them. */
const contracts = import.meta.glob<Record<string, unknown>>(
  ['/src/features/*/contract*.ts', '/src/domain/*.ts', '/src/server/*/contract.ts', '!**/*.test.ts'],
  { eager: true },
);
const calls = Object.values(contracts)
  .flatMap((it) => Object.values(it))
  .concat(announceScans('check'))
  .flatMap((it) => (isCall(it) ? [it] : Array.isArray(it) ? it.filter(isCall) : []));
const texts = calls.flatMap((call) => textsOf(call.input as Shape).map((it) => ({ ...it, call })));
const nameOf = (path: readonly string[]) => path.at(-1) ?? '';
const isSnName = (name: string) => /^(sn|sns|snList)$|S[nN](List)?$/.test(name);

/** Small and large letters, in either width. */
const letters = fc.constantFrom(...'abcxyzABCXYZ0189_-ａｂｚＡＢＺ０９');
const blank = fc.constantFrom('', ' ', '  ', '\t', '\r\n', '　');
const around = (text: fc.Arbitrary<string>) => fc.tuple(blank, text, blank).map((it) => it.join(''));
const raw = {
  sn: around(fc.string({ unit: letters, minLength: 1, maxLength: 20 })),
  no: around(fc.string({ unit: letters, minLength: 1, maxLength: 20 })),
  slots: fc
    .array(fc.tuple(around(fc.string({ unit: letters, minLength: 1, maxLength: 6 })), fc.constantFrom(',', '，')), {
      minLength: 1,
      maxLength: 5,
    })
    .map((them) => them.map(([slot, comma]) => slot + comma).join('')),
};
/** By other words than the product's own. */
const upper = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/^\s+|\s+$/g, '')
    .toUpperCase();
const expected: Record<string, (text: string) => string> = {
  sn: upper,
  no: upper,
  slots: (text) =>
    text
      .replaceAll('，', ',')
      .split(',')
      .map(upper)
      .filter((it) => it !== '')
      .join(','),
};

/** Something of each field that may be there. */
function inputsOf(shape: Shape): fc.Arbitrary<unknown> {
  if (shape.anyOf) return fc.oneof(...shape.anyOf.map(inputsOf));
  if (shape.items) return fc.array(inputsOf(shape.items), { minLength: 1, maxLength: 3 });
  if (shape.properties) {
    return fc.record(Object.fromEntries(Object.entries(shape.properties).map(([name, it]) => [name, inputsOf(it)])));
  }
  if (shape.const !== undefined) return fc.constant(shape.const);
  if (shape.type === 'string') return raw[shape[WRITTEN_AS] as keyof typeof raw] ?? fc.constant('some Text ，');
  return fc.constant(shape.type === 'boolean' ? true : shape.type === 'null' ? null : (shape.minimum ?? 1));
}

/** The texts of an input as it is expected to go, all others as they are. */
function written(shape: Shape, value: unknown): unknown {
  if (shape.anyOf) {
    const own = shape.anyOf.find(
      (it) => it.type === (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value),
    );
    return own ? written(own, value) : value;
  }
  if (Array.isArray(value)) return value.map((it) => written(shape.items ?? {}, it));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, it]) => [name, written(shape.properties?.[name] ?? {}, it)]),
    );
  }
  return typeof value === 'string' ? (expected[shape[WRITTEN_AS] ?? '']?.(value) ?? value) : value;
}

const definitions = import.meta.glob<Definition>('/definitions/*/*.json', { import: 'default', eager: true });
const sources = import.meta.glob<string>(['/src/app/**/*.{ts,tsx}', '/src/features/**/*.{ts,tsx}', '!**/*.test.*'], {
  ...{ query: '?raw', import: 'default', eager: true },
});

describe('what the browser sends', () => {
  let sent: unknown;
  beforeEach(() => {
    vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
      const { searchParams } = new URL(address, 'http://x');
      sent = typeof init.body === 'string' ? JSON.parse(init.body) : Object.fromEntries(searchParams);
      return Promise.resolve(Response.json({ code: '000000', msg: '', data: {} }));
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  it('says of each SN and each slot of each call how it is written, and of nothing else', () => {
    const marked = (way: string) => texts.filter((it) => it.shape[WRITTEN_AS] === way);
    expect(texts.filter((it) => isSnName(nameOf(it.path)) && it.shape[WRITTEN_AS] !== 'sn').map(where)).toEqual([]);
    expect(texts.filter((it) => /slot/i.test(nameOf(it.path)) && it.shape[WRITTEN_AS] !== 'slots').map(where)).toEqual(
      [],
    );
    expect(
      marked('sn')
        .filter((it) => !isSnName(nameOf(it.path)))
        .map(where),
    ).toEqual([]);
    expect(
      marked('slots')
        .filter((it) => nameOf(it.path) !== 'slot')
        .map(where),
    ).toEqual([]);
    expect(marked('sn').length).toBeGreaterThan(60);
    expect(marked('slots').length).toBeGreaterThan(3);
  });

  const asked = calls.filter((call) => texts.some((it) => it.call === call && it.shape[WRITTEN_AS] !== undefined));
  it.each(asked.map((call) => [`${call.method} ${call.path}`, call] as const))(
    'has its SNs trimmed and in capitals, and its slots with plain commas: %s [S-GEN-06] [S-GEN-07]',
    async (_, call) => {
      const shape = call.input as Shape;
      await fc.assert(
        fc.asyncProperty(inputsOf(shape), async (input) => {
          await send(call, input);
          const goes = written(shape, input);
          const inQuery = Object.entries(goes as object).filter(([, it]) => it !== null);
          const asText = Object.fromEntries(inQuery.map(([name, it]) => [name, String(it)]));
          expect(sent).toEqual(call.method === 'GET' ? { lang: 'zh', ...asText } : goes);
        }),
        tries(10),
      );
    },
  );

  const forms = Object.values(definitions).flatMap((definition) =>
    (definition.form ?? []).flat().flatMap((name) => {
      const field = definition.fields[name];
      return field?.sn ? [[`${definition.module}.${name}`, name, field] as const] : [];
    }),
  );
  it.each(forms)('of the form’s field %s is an SN as all of them are written [S-GEN-06]', (_, name, field) => {
    const asked = { ...boundsOf(field), type: field.type, name, queryName: name };
    fc.assert(
      fc.property(raw.sn, (text) => {
        expect(toRequestValues([asked], { [name]: text })).toEqual({ [name]: upper(text) });
      }),
      tries(),
    );
  });

  it('goes by a call whose shape is known wherever an SN is sent, or by a form', () => {
    const blind = /\bsendTo(<[^(]*>)?\([^;]*\b(sn|\w+Sn|slot|\w*snList)\b/i;
    expect(blind.test('sendTo<X>(call, { sn: text })')).toBe(true);
    expect(Object.keys(sources).filter((it) => blind.test(sources[it] ?? ''))).toEqual([]);
    expect(forms.map(([it]) => it)).toEqual(['rmaMiscellaneousExpensesBill.sn', 'ubsItemObject.sn']);
  });
});

describe('slots as they were entered', () => {
  const row = {
    ...{ partsType: '7', repairMethod: RepairMethod.Replace, issueCodes: [1], spendItemCount: null },
    ...{ repairUrls: null, replaceSn: 'XXXX' },
  };
  it('are read as they are written before anything is made of them [S-GEN-07]', () => {
    fc.assert(
      fc.property(raw.slots, (slot) => {
        const plain = expected['slots']?.(slot) ?? '';
        const all = plain.split(',').filter((it) => it !== '');
        expect(parseSlots(slot)).toEqual(all);
        expect(spendCountOf({ ...row, slot })).toBe(all.length);
        expect(validateSlots({ slot }, 0, new Set(all))).toEqual([]);
        expect(validateSlots({ slot }, 0, new Set()).map((it) => it.args)).toEqual(all.map((it) => ({ slot: it })));
        expect(validateRecord({ ...row, slot })).toEqual(validateRecord({ ...row, slot: plain }));
      }),
      tries(),
    );
  });
});

const where = ({ call, path }: { call: Pick<Call, 'path'>; path: readonly string[] }) =>
  `${call.path} ${path.join('.')}`;
