import { Type, type Static } from 'typebox';

/**
 * The grammar of a definition: what a module is. `definitions/definition.schema.json` is written from it (a test holds
 * them together), so that editors complete and the server refuses by the same words. Design section 4.
 */
const closed = { additionalProperties: false } as const;
const oneOf = <T extends string>(values: readonly T[]) => Type.Unsafe<T>({ type: 'string', enum: [...values] });

export const WordsSchema = Type.Object(
  { zh: Type.String({ minLength: 1 }), en: Type.String({ minLength: 1 }) },
  closed,
);

export const fieldTypes = [
  'String',
  'LongString',
  'Number',
  'Integer',
  'Long',
  'BigDecimal',
  'password',
  'date',
  'dateTime',
  'Month',
  'select',
] as const;
export type FieldType = (typeof fieldTypes)[number];

/** Plain values that other fields must have: `{ "lotType": "3" }` or `{ "billStatus": ["0", "1"] }`. */
const WhenSchema = Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]));
export type When = Static<typeof WhenSchema>;

export const FieldSchema = Type.Object(
  {
    type: oneOf(fieldTypes),
    label: WordsSchema,
    /** A named list of `definitions/options.json`. */
    options: Type.Optional(Type.String()),
    /** A select whose values are rows of another module: `value` is stored, `label` is shown. */
    ref: Type.Optional(Type.Object({ module: Type.String(), value: Type.String(), label: Type.String() }, closed)),
    required: Type.Optional(Type.Boolean()),
    requiredWhen: Type.Optional(WhenSchema),
    /** In the form only while other fields have these values; what was in it is cleared when they no longer have. */
    visibleWhen: Type.Optional(WhenSchema),
    /** Shown and not changed by a form while other fields have these values. */
    readOnlyWhen: Type.Optional(WhenSchema),
    /** Another field whose value this one may not go below: the start of an end. */
    minField: Type.Optional(Type.String()),
    /** Another field whose value this one may not go above: the whole of a part. */
    maxField: Type.Optional(Type.String()),
    /** Shown, never sent by a form: the server writes it. */
    readOnly: Type.Optional(Type.Boolean()),
    default: Type.Optional(Type.Union([Type.String(), Type.Number()])),
    minLength: Type.Optional(Type.Integer()),
    maxLength: Type.Optional(Type.Integer()),
    min: Type.Optional(Type.Number()),
    max: Type.Optional(Type.Number()),
    /** `code` is set in a monospace and can be copied; `percent` shows a tax rate; `images` and `files` are lists joined by ##. */
    format: Type.Optional(oneOf(['code', 'percent', 'images', 'files', 'issueCodes'])),
    /** No two rows share it (empty values aside). */
    unique: Type.Optional(Type.Boolean()),
    /** Trimmed and upper-cased before anything else: SNs, issue codes, sales codes. */
    upperCase: Type.Optional(Type.Boolean()),
  },
  closed,
);

export const buttonTones = ['primary', 'plain', 'danger'] as const;

export const ButtonSchema = Type.Object(
  {
    btnNo: Type.String({ minLength: 1 }),
    /** Names a generic script (create, modify, deleteById, deleteAll, detail) or a page of `src/features/pages.ts`. */
    script: Type.String({ minLength: 1 }),
    label: WordsSchema,
    /** How many rows must be selected; left out, the button needs none. */
    rows: Type.Optional(Type.Union([Type.Literal(1), Type.Literal('many')])),
    /** Besides the selected rows it takes all that match the applied conditions; its dialog is told which. */
    all: Type.Optional(Type.Boolean()),
    /** The call of this row action may be made for many rows at once, each judged by itself. */
    bulk: Type.Optional(Type.Boolean()),
    /** The button is offered only for rows with these values. */
    when: Type.Optional(WhenSchema),
    tone: Type.Optional(oneOf(buttonTones)),
    /** The field that an upload fills: the papers of a row, or the moment that a workbook gives for many. */
    field: Type.Optional(Type.String()),
    /** The numbers by which a workbook's rows are found, in the order in which they are tried. */
    by: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
  },
  closed,
);

export const LinesSchema = Type.Object(
  {
    /** Name of the list in the detail's answer, such as `rmaCheckBillLineList`. */
    name: Type.String(),
    module: Type.String(),
    /** The field that both share: the bill's own number. */
    by: Type.String(),
    /** Each row stands under the row of this earlier list, with which it shares a field. */
    under: Type.Optional(Type.Object({ name: Type.String(), by: Type.String() }, closed)),
  },
  closed,
);

export const DefinitionSchema = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    module: Type.String({ pattern: '^[a-z][A-Za-z0-9]*$' }),
    label: WordsSchema,
    table: Type.String({ pattern: '^[a-z][a-z0-9_]*$' }),
    /**
     * Whose rows these are: the fields of which one must be in the user's site scope, `"all"` for base data, or the
     * module (and shared field) through whose rows they are seen. `as`: what that module calls the field, where it calls it
     * otherwise; `orNone`: rows that stand under none of its rows belong to no site and are seen by all.
     */
    site: Type.Union([
      Type.Literal('all'),
      Type.Array(Type.String(), { minItems: 1 }),
      Type.Object(
        {
          through: Type.String(),
          by: Type.String(),
          as: Type.Optional(Type.String()),
          orNone: Type.Optional(Type.Literal(true)),
        },
        closed,
      ),
    ]),
    /**
     * A list of another module's rows: those with these values. It has that module's table and some of its fields, and
     * only reads.
     */
    rowsOf: Type.Optional(Type.Object({ module: Type.String(), when: WhenSchema }, closed)),
    /** The table is a view that a migration makes over these tables: the engine reads it and makes nothing of its own. */
    viewOf: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    /** Rows are seen by the user whom the field names; by others only with the right `module:unless`. */
    owner: Type.Optional(Type.Object({ field: Type.String(), unless: Type.String() }, closed)),
    /** The business number that the server gives to a new row: prefix + yyyymmdd + 5 digits. */
    number: Type.Optional(
      Type.Object({ field: Type.String(), prefix: Type.String({ pattern: '^[A-Z]{3}$' }) }, closed),
    ),
    fields: Type.Record(Type.String(), FieldSchema),
    search: Type.Optional(Type.Array(Type.String())),
    list: Type.Optional(
      Type.Object(
        {
          columns: Type.Array(Type.String(), { minItems: 1 }),
          /** A field, with a leading minus for descending. */
          sort: Type.Optional(Type.String()),
          /** The first column opens the detail. */
          link: Type.Optional(Type.Boolean()),
          maxHeight: Type.Optional(Type.Integer()),
          /** Numbers whose sum over everything that matches stands under the table. */
          totals: Type.Optional(Type.Array(Type.String(), { maxItems: 12 })),
          /**
           * Of a list that only grows: so many rows are counted and leafed through at most, ten times as many exported,
           * and it stands in its own order alone, which each of its indexes ends with.
           */
          most: Type.Optional(Type.Integer({ minimum: 1000 })),
        },
        closed,
      ),
    ),
    /** Rows of the form; fields of one array stand side by side. */
    form: Type.Optional(Type.Array(Type.Array(Type.String()))),
    /** Facts at the top of the detail, in order. */
    detail: Type.Optional(Type.Array(Type.String())),
    lines: Type.Optional(Type.Array(LinesSchema)),
    indexes: Type.Optional(Type.Array(Type.Array(Type.String()))),
    unique: Type.Optional(Type.Array(Type.Array(Type.String()))),
    buttons: Type.Optional(Type.Array(ButtonSchema)),
  },
  closed,
);

export type Definition = Static<typeof DefinitionSchema>;
export type Field = Static<typeof FieldSchema>;
export type Button = Static<typeof ButtonSchema>;
export type Lines = Static<typeof LinesSchema>;
export interface MenuNode {
  /** A group's own name, or `{module}List` for an entry. */
  menuNo: string;
  /** Only groups have a label; an entry is named by its module. */
  label?: { zh: string; en: string };
  icon?: string;
  children?: MenuNode[];
}
export interface Option {
  value: string;
  label: { zh: string; en: string };
}
/** `definitions/options.json`: named lists. */
export type OptionLists = Record<string, Option[]>;
/** `definitions/roles.json`: what an empty database starts with; afterwards roles are rows. */
export interface RoleSeed {
  roleId: string;
  label: { zh: string; en: string };
  /** Sees every site, or its home site alone. */
  allSites?: boolean;
  /** module → buttons; `list` opens the list; `*` all of the module's; module `*` everything. */
  rights: Record<string, string[]>;
}

/** Everything that the files (and the published changes over them) say, as one value. */
export interface Model {
  definitions: ReadonlyMap<string, Definition>;
  options: OptionLists;
  menu: MenuNode[];
  roles: RoleSeed[];
}
