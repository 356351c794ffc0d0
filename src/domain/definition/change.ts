import { Type, type Static, type TObject, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import {
  ButtonSchema,
  DefinitionSchema,
  FieldSchema,
  MOST_IN_LABEL,
  MOST_IN_NAME,
  tones,
  type MenuNode,
  type OptionLists,
} from '#domain/definition/grammar.ts';
import type { DefinitionProblem } from '#domain/definition/problems.ts';
import { problemsOfNames, problemsOfShape } from '#domain/definition/shape.ts';

const closed = { additionalProperties: false };
const { label, one, search, list, form, detail, indexes } = DefinitionSchema.properties;

/** Any part of a whole; null says nothing of it any more. */
const altered = (whole: TObject) => {
  const parts = Object.entries(whole.properties).map(([name, it]) => [
    name,
    Type.Optional(Type.Union([required(it), Type.Null()])),
  ]);
  return Type.Object(Object.fromEntries(parts) as Record<string, TSchema>, closed);
};
const required = (it: TSchema): TSchema => {
  const { '~optional': _, ...rest } = it as TSchema & Record<string, unknown>;
  return rest;
};
const { btnNo: _, ...buttonParts } = ButtonSchema.properties;
const spoken = Type.String({ maxLength: MOST_IN_LABEL });
const words = Type.Object({ zh: spoken, en: spoken }, closed);
const name = Type.String({ maxLength: MOST_IN_NAME });
const MOST_NAMES = { maxItems: 500 };
const MOST_ENTRIES = { maxProperties: 1000 };
const option = Type.Object(
  {
    value: Type.String({ minLength: 1, maxLength: 64 }),
    label: words,
    tone: Type.Optional(Type.Union(tones.map((it) => Type.Literal(it)))),
    retired: Type.Optional(Type.Literal(true)),
  },
  closed,
);
const answer = Type.Union([Type.Literal('keep'), Type.Literal('empty')]);
const menu = Type.Cyclic(
  {
    Node: Type.Object(
      {
        menuNo: Type.String({ pattern: '^[A-Za-z][A-Za-z0-9]*$', maxLength: 60 }),
        label: Type.Optional(words),
        icon: Type.Optional(Type.String({ maxLength: 40 })),
        hidden: Type.Optional(Type.Boolean()),
        children: Type.Optional(Type.Array(Type.Ref('Node'), MOST_NAMES)),
      },
      closed,
    ),
  },
  'Node',
);

/**
 * A published change as its row holds it: only what it alters. What it may alter is decided by `validateChange`. Rule:
 * definitions#published-changes.
 */
export const ChangeSchema = Type.Object(
  {
    /** A whole new module; then no more is said of it than who may see it. */
    definition: Type.Optional(DefinitionSchema),
    label: Type.Optional(label),
    one,
    /** By field name: what is altered of it; an unknown name with a type is a new field. */
    fields: Type.Optional(Type.Record(Type.String(), altered(FieldSchema), MOST_ENTRIES)),
    search,
    list: Type.Optional(Type.Partial(list as unknown as TObject, closed)),
    form,
    detail,
    /** Beside those that are there. */
    indexes,
    /** Beside those that are there: lists of another module's rows under the facts, which share a field with the row. */
    lines: Type.Optional(
      Type.Array(Type.Object({ name, module: name, by: name }, closed), {
        maxItems: 10,
      }),
    ),
    /** By button number: what is altered of it; an unknown number with a script is a new button. */
    buttons: Type.Optional(Type.Record(Type.String(), altered(Type.Object(buttonParts, closed)), MOST_ENTRIES)),
    /** The numbers of the buttons in their order; those that it does not name follow. */
    buttonOrder: Type.Optional(Type.Array(name, MOST_NAMES)),
    /** By list name: its values as they are to be, in their order. */
    options: Type.Optional(
      Type.Record(Type.String(), Type.Array(option, { minItems: 1, maxItems: 500 }), MOST_ENTRIES),
    ),
    /** By role: the buttons of this module that it has from then on; `list` opens the list. Rows of roles, not of the model. */
    rights: Type.Optional(Type.Record(Type.String(), Type.Array(name, MOST_NAMES), MOST_ENTRIES)),
    /**
     * Whether what the table of the new module, or the column of a new field, still holds from before is kept or emptied. Said
     * once, to the publish: it is no part of the model, and nothing else acts by it. Rule: definitions#former-contents.
     */
    contents: Type.Optional(
      Type.Object(
        {
          table: Type.Optional(answer),
          fields: Type.Optional(Type.Record(Type.String({ maxLength: MOST_IN_NAME }), answer, MOST_ENTRIES)),
        },
        closed,
      ),
    ),
    /** Of the menu alone: the tree as it is to be. */
    menu: Type.Optional(Type.Array(menu, MOST_NAMES)),
  },
  closed,
);

/** The same as the code reads it. */
export type Altered<Whole> = { [Part in keyof Whole]?: Whole[Part] | null };
type Told = Static<typeof DefinitionSchema>;
/** What becomes of what is still there from before. */
export type ContentsAnswer = Static<typeof answer>;
export interface DefinitionChange extends Pick<
  Partial<Told>,
  'label' | 'one' | 'search' | 'form' | 'detail' | 'indexes'
> {
  lines?: { name: string; module: string; by: string }[];
  definition?: Told;
  fields?: Record<string, Altered<Static<typeof FieldSchema>>>;
  list?: Partial<NonNullable<Told['list']>>;
  buttons?: Record<string, Altered<Omit<Static<typeof ButtonSchema>, 'btnNo'>>>;
  buttonOrder?: string[];
  options?: OptionLists;
  rights?: Record<string, string[]>;
  contents?: { table?: ContentsAnswer; fields?: Record<string, ContentsAnswer> };
  menu?: MenuNode[];
}

/** The same without what bounds a value: every part is of its kind, and may be unfinished. */
function unbounded(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(unbounded);
  if (typeof schema !== 'object' || schema === null) return schema;
  const said = Object.entries(schema).filter(([keyword]) => !bounding.has(keyword));
  return Object.fromEntries(said.map(([keyword, it]) => [keyword, unbounded(it)]));
}
const bounding: ReadonlySet<string> = new Set([
  ...['minLength', 'maxLength', 'pattern', 'minItems', 'maxItems', 'minProperties', 'minimum', 'maximum'],
  ...['additionalProperties', 'enum', 'const'],
]);

/** So many values a change may hold. The largest module has a tenth of them. */
const MOST_VALUES = 20_000;

/** What is wrong is looked for in all values, and takes as long as there are many. */
function problemsOfSize(value: unknown, module: string): DefinitionProblem[] {
  let left = MOST_VALUES;
  const isWithin = (it: unknown): boolean => {
    left -= 1;
    if (left < 0) return false;
    return typeof it !== 'object' || it === null || Object.values(it).every(isWithin);
  };
  if (isWithin(value)) return [];
  const what = `holds more than ${MOST_VALUES} values`;
  return [{ kind: 'BadShape', rule: 'shapeMany', where: module, what, path: '', name: String(MOST_VALUES) }];
}

const shape = Compile(ChangeSchema);
const kinds = Compile(unbounded(ChangeSchema) as TSchema);

/** What is wrong with the shape of what claims to be a change. */
export function validateChangeShape(value: unknown, module: string): DefinitionProblem[] {
  if (shape.Check(value)) return problemsOfNames(value, module);
  const problems = problemsOfSize(value, module);
  return problems.length > 0 ? problems : problemsOfShape(shape.Errors(value), value, module);
}

/** What of a change that may be unfinished is of no kind that anybody could go on with. Rule: definitions#drafts. */
export function validateChangeKinds(value: unknown, module: string): DefinitionProblem[] {
  if (kinds.Check(value)) return [];
  const problems = problemsOfSize(value, module);
  return problems.length > 0 ? problems : problemsOfShape(kinds.Errors(value), value, module);
}
