import { describe, expect, it } from 'vitest';
import en from '#i18n/en/studio.json' with { type: 'json' };
import zh from '#i18n/zh/studio.json' with { type: 'json' };
import { ChangeSchema, validateChangeKinds, validateChangeShape } from '#domain/definition/change.ts';

type Schema = Record<string, unknown> & { properties?: Record<string, Schema>; anyOf?: Schema[]; items?: Schema };
type Wrap = (value: unknown) => unknown;

/** Every place of the schema, with what makes a whole change of a value that stands there. */
function* placesOf(schema: Schema, path: string, wrap: Wrap, defs: Record<string, Schema> = {}): Generator<Place> {
  const { $defs = defs, $ref } = schema as { $defs?: Record<string, Schema>; $ref?: string };
  if ($ref !== undefined) {
    const target = $defs[$ref];
    // A menu's node has nodes in it: once round is enough.
    if (target && !path.includes(`<${$ref}>`)) yield* placesOf(target, `${path}<${$ref}>`, wrap, $defs);
    return;
  }
  yield { schema, path, wrap };
  for (const it of schema.anyOf ?? []) yield* placesOf(it, path, wrap, $defs);
  for (const [name, it] of Object.entries(schema.properties ?? {}))
    yield* placesOf(it, `${path}.${name}`, (value) => wrap({ [name]: value }), $defs);
  for (const it of Object.values((schema['patternProperties'] ?? {}) as Record<string, Schema>))
    yield* placesOf(it, `${path}.*`, (value) => wrap({ any: value }), $defs);
  if (schema.items) yield* placesOf(schema.items, `${path}[]`, (value) => wrap([value]), $defs);
}
interface Place {
  schema: Schema;
  path: string;
  wrap: Wrap;
}

const places = [...placesOf(ChangeSchema as unknown as Schema, '', (it) => it)];
const many = (length: number) => Array.from({ length }, (_, i) => i);
/** For each keyword of the schema a value that breaks it. */
const breaking: Record<string, (said: never) => unknown> = {
  type: (it: string) => (it === 'boolean' ? 'x' : true),
  const: () => 'nothing of the kind',
  enum: () => 'nothing of the kind',
  minLength: () => '',
  maxLength: (it: number) => 'x'.repeat(it + 1),
  pattern: () => '!',
  minimum: (it: number) => it - 1,
  maximum: (it: number) => it + 1,
  minItems: () => [],
  maxItems: (it: number) => many(it + 1),
  minProperties: () => ({}),
  maxProperties: (it: number) => Object.fromEntries(many(it + 1).map((i) => [`a${i}`, i])),
  required: () => ({}),
  additionalProperties: () => ({ 'nothing of the kind': 1 }),
};
/** What says nothing of a value by itself. */
const silent = new Set(['properties', 'patternProperties', 'items', 'anyOf', 'description', '$defs', '$ref', '$id']);
const sentences = [zh, en].map((it) => it.problems as Record<string, string>);

describe('the shape of a change', () => {
  it('of more values than any has is told as that, and what is wrong is not looked for in each', () => {
    const wrong = (count: number) => ({ form: many(count) });
    for (const validate of [validateChangeShape, validateChangeKinds]) {
      expect(validate(wrong(400), 'ubsItem')).toMatchObject([
        { rule: 'shapeList', path: 'form.0' },
        ...many(7).map(() => ({})),
      ]);
      const problems = validate(wrong(30_000), 'ubsItem');
      expect(problems).toMatchObject([{ rule: 'shapeMany', path: '', name: '20000' }]);
    }
    const names = many(450).map((it) => `n${it}`);
    const right = { form: names.map(() => names) };
    expect(validateChangeShape(right, 'ubsItem')).toEqual([]);
  });

  it('is told in words wherever it is wrong, whatever the schema asks there', () => {
    const kinds = new Set<string>();
    let walked = 0;
    for (const { schema, path, wrap } of places) {
      for (const [keyword, said] of Object.entries(schema)) {
        if (silent.has(keyword)) continue;
        const at = `${path} ${keyword}`;
        expect(Object.keys(breaking), at).toContain(keyword);
        kinds.add(keyword);
        // One of several that may stand there, or nothing at all, is told of the whole place.
        const problems = validateChangeShape(wrap(breaking[keyword]?.(said as never)), 'ubsSite');
        if (keyword !== 'type' || schema['type'] !== 'null') expect([at, problems]).not.toEqual([at, []]);
        for (const it of problems) {
          const told = sentences.map((one) => one[it.rule ?? '']);
          expect([at, it.rule, told.filter((one) => one === undefined)]).toEqual([at, it.rule, []]);
          expect([at, it.name]).toEqual([at, expect.not.stringMatching(/must|schema/)]);
        }
        walked += 1;
      }
    }
    expect(kinds).toEqual(new Set(Object.keys(breaking)));
    expect(walked).toBeGreaterThan(400);
  });

  it('leaves no text, list and group of names without a bound', () => {
    const unbounded = places.filter(({ schema }) => {
      const { type } = schema;
      if (type === 'string') return !('maxLength' in schema || 'enum' in schema || 'const' in schema);
      if (type === 'array') return !('maxItems' in schema);
      return 'patternProperties' in schema && !('maxProperties' in schema);
    });
    expect(unbounded.map((it) => it.path)).toEqual([]);
    expect(places.length).toBeGreaterThan(200);
    const long = 'x'.repeat(5000);
    for (const change of [{ fields: { [long]: {} } }, { definition: { [long]: 1 } }, { rights: { [long]: [] } }])
      expect(validateChangeShape(change, 'ubsSite')).not.toEqual([]);
  });

  it('leaves no list within a list empty, but a row of a form, which then shows nothing', () => {
    const inLists = places.filter(({ schema, path }) => path.endsWith('[]') && schema['type'] === 'array');
    expect(inLists).toHaveLength(5);
    expect(inLists.filter(({ schema }) => schema['minItems'] !== 1).map((it) => it.path)).toEqual([
      '.definition.form[]',
      '.form[]',
    ]);
  });

  it.each<[string, unknown, string[]]>([
    [
      'an expression of 301 characters',
      { fields: { a: { computed: 'x'.repeat(301) } } },
      ['fields.a.computed shapeLong 300'],
    ],
    ['a label of 5,000', { label: { zh: '名', en: 'x'.repeat(5000) } }, ['label.en shapeLong 200']],
    ['a part that nobody knows', { colour: 'red' }, ['colour shapeUnknown colour']],
    ['a missing part', { label: { zh: '名' } }, ['label shapeNeeds en']],
    ['a text for yes or no', { fields: { a: { required: 'yes' } } }, ['fields.a.required shapeTruth ']],
    ['what is one of several', { fields: { a: { default: {} } } }, ['fields.a.default shapeChoice ']],
    ['a type that nobody knows', { fields: { a: { type: 'Strin' } } }, ['fields.a.type shapeChoice ']],
    ['half a pattern', { fields: { a: { pattern: { mask: '9' } } } }, ['fields.a.pattern shapeNeeds example']],
    ['a list for one index', { indexes: ['a'] }, ['indexes.0 shapeList ']],
    ['an index of nothing', { indexes: [[]] }, ['indexes.0 shapeFew 1']],
    [
      'an index of more columns than the database takes',
      { indexes: [many(32).map((it) => `a${it}`)] },
      ['indexes.0 shapeMany 31'],
    ],
    ['no change at all', [], [' shapeParts ']],
  ])('says of %s what is wrong, once', (_, change, expected) => {
    expect(validateChangeShape(change, 'm').map((it) => `${it.path} ${it.rule} ${it.name}`)).toEqual(expected);
  });
});
