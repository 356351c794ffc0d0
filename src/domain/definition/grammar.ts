import { Type, type Static } from 'typebox';

/**
 * The grammar of a definition: what a module is. `definitions/definition.schema.json` is written from it (a test holds
 * them together), so that editors complete and explain, and the server refuses by the same words.
 * Rule: definitions#grammar.
 */
const closed = { additionalProperties: false } as const;
const oneOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], description });
/** The longest text that any field takes where its definition says nothing else. */
export const MAX_TEXT = 4000;
/** The longest name, label, explanation and list of names. What a name may be is said elsewhere, more narrowly. */
export const MOST_IN_NAME = 200;
export const MOST_IN_LABEL = 200;
const MOST_IN_REASON = 500;
const MOST_NAMES = 500;
const name = Type.String({ maxLength: MOST_IN_NAME });
const names = { maxItems: MOST_NAMES };
const text = (description: string) => Type.String({ maxLength: MOST_IN_NAME, description });
const texts = (description: string) => Type.Array(name, { ...names, description });
const someTexts = (description: string) => Type.Array(name, { ...names, minItems: 1, description });
/** A list of columns for the database, which takes 32 in an index; each index carries the id as well. */
const columns = Type.Array(name, { minItems: 1, maxItems: 31 });
const whole = (description: string) => Type.Integer({ description });
const flag = (description: string) => Type.Boolean({ description });

const words = (description: string) =>
  Type.Object(
    {
      zh: Type.String({ minLength: 1, maxLength: MOST_IN_LABEL, description: 'In Chinese.' }),
      en: Type.String({ minLength: 1, maxLength: MOST_IN_LABEL, description: 'In English.' }),
    },
    { ...closed, description },
  );

const mayDangle = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: MOST_IN_REASON,
    description:
      'Why a value may stay that no row there has. Left out, a foreign key holds it: rows refer to what is there, ' +
      'and what they refer to stays.',
  }),
);

const fieldTypes = [
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
  'List',
] as const;
export type FieldType = (typeof fieldTypes)[number];

const value = Type.String({ maxLength: MOST_IN_LABEL });

/** Plain values that other fields must have: `{ "lotType": "3" }` or `{ "billStatus": ["0", "1"] }`. */
const when = (description: string) =>
  Type.Record(Type.String(), Type.Union([value, Type.Array(value, names)]), { description, maxProperties: 20 });
export type When = Static<ReturnType<typeof when>>;

export const FieldSchema = Type.Object(
  {
    type: oneOf(fieldTypes, 'What kind of value it holds; it decides the column, the input and how it is searched.'),
    label: words('What people read above the column and beside the input.'),
    options: Type.Optional(text('Of a select: the named list of `definitions/options.json` that it chooses from.')),
    ref: Type.Optional(
      Type.Object(
        {
          module: text('The module whose rows are chosen from.'),
          value: text('The field of that module which is stored.'),
          label: text('The field of that module which is shown.'),
          within: Type.Optional(
            Type.Object(
              {
                field: text('A field of that module.'),
                of: text('The field of this form whose value it has to have, while there is one.'),
              },
              { ...closed, description: 'Only some of its rows are offered, such as the stores of the chosen site.' },
            ),
          ),
          only: Type.Optional(
            Type.Object(
              {
                field: text('A field of that module that chooses from a list.'),
                values: Type.Array(text('A value of that list.'), {
                  minItems: 1,
                  ...names,
                  description: 'The values of which a row has one.',
                }),
              },
              {
                ...closed,
                description: 'Only rows with these values are offered and accepted, such as the foundries.',
              },
            ),
          ),
          mayDangle,
        },
        { ...closed, description: 'Of a select: its choices are the rows of another module.' },
      ),
    ),
    required: Type.Optional(flag('A form refuses to save while it is empty.')),
    always: Type.Optional(
      flag(
        'Every row has it, whoever writes it: its column is NOT NULL. Left out, that holds of a field that a form ' +
          'requires whatever else it holds; `false` where the server also writes rows without it.',
      ),
    ),
    requiredWhen: Type.Optional(when('It is required only while other fields have these values.')),
    visibleWhen: Type.Optional(
      when('It is in the form only while other fields have these values; what was in it is cleared otherwise.'),
    ),
    readOnlyWhen: Type.Optional(when('It is shown and not changed by a form while other fields have these values.')),
    minField: Type.Optional(
      text('Another field whose value this one may not go below, such as the start of a period for its end.'),
    ),
    maxField: Type.Optional(text('Another field whose value this one may not go above, such as the whole for a part.')),
    readOnly: Type.Optional(flag('It is shown and never sent by a form: the server writes it.')),
    site: Type.Optional(
      Type.Object(
        {
          through: text('The module of whose row its value is.'),
          by: text('The field that both share.'),
        },
        {
          ...closed,
          description:
            'Of a list that all sites see: its value is empty for whoever does not see the row of another module to ' +
            'which it belongs. Where there is no such row, all see it.',
        },
      ),
    ),
    computed: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 300,
        description:
          'It is computed from other fields of its row by this expression (CEL): `amount * qty / 100`, ' +
          '`status == "1" ? days(sentDay, doneDay) : 0`. It is read-only and empty while a field that it needs is.',
      }),
    ),
    default: Type.Optional(
      Type.Union([Type.String({ maxLength: MAX_TEXT }), Type.Number()], {
        description: 'What an empty form starts with.',
      }),
    ),
    minLength: Type.Optional(whole('The fewest characters that are accepted.')),
    maxLength: Type.Optional(whole('The most characters that are accepted.')),
    min: Type.Optional(Type.Number({ description: 'The smallest number that is accepted.' })),
    max: Type.Optional(Type.Number({ description: 'The greatest number that is accepted.' })),
    unit: Type.Optional(words('Of a number: what it counts, such as `kg`; it stands in brackets behind the label.')),
    pattern: Type.Optional(
      Type.Object(
        {
          mask: Type.String({
            minLength: 1,
            maxLength: 64,
            description:
              '`9` is a digit, `A` a letter, `X` either, `*` at the end whatever follows; anything else, and what ' +
              'stands behind a backslash, is itself.',
          }),
          example: Type.String({ minLength: 1, maxLength: 64, description: 'A text that looks so.' }),
        },
        { ...closed, description: 'Of a String: how it has to look.' },
      ),
    ),
    format: Type.Optional(
      oneOf(
        ['code', 'percent', 'number', 'user', 'roles', 'images', 'files', 'issueCodes', 'age'],
        'How it is shown: `code` in a monospace that can be copied, `percent` as a rate, `number` of a decimal that is no amount of money, `user` a login by its name, ' +
          '`roles` roles joined by | by theirs: both are chosen by name; `images`, `files` and `issueCodes` are lists joined by ##; ' +
          '`age` of a moment how long ago it is.',
      ),
    ),
    items: Type.Optional(
      Type.Record(Type.String(), oneOf(['String', 'Integer'], 'What kind of value it is.'), {
        minProperties: 1,
        maxProperties: 50,
        description: 'Of a List: the values that each of its entries has, by name.',
      }),
    ),
    each: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MOST_IN_LABEL,
        description: 'Of a List: how people read one of its entries, with its values by name: `{waferId}:{inputQty}`.',
      }),
    ),
    sn: Type.Optional(
      flag('Of a String: an SN, 1 to 64 of `A-Z 0-9 _ -` once it is normalised (full width, blanks, upper case).'),
    ),
    unique: Type.Optional(flag('No two rows share its value; empty values aside.')),
    upperCase: Type.Optional(
      flag('It is trimmed and upper-cased before anything else: SNs, issue codes, sales codes.'),
    ),
  },
  closed,
);

const buttonTones = ['primary', 'plain', 'danger'] as const;

export const ButtonSchema = Type.Object(
  {
    btnNo: Type.String({
      minLength: 1,
      maxLength: MOST_IN_NAME,
      description: 'Its name within the module; the right to press it is `module:btnNo`.',
    }),
    script: Type.String({
      minLength: 1,
      maxLength: MOST_IN_NAME,
      description:
        'What it does: a generic script (create, modify, deleteById, deleteAll, detail) or the name of a page or ' +
        'dialog that a feature brings.',
    }),
    label: words('What stands on it.'),
    rows: Type.Optional(
      Type.Union([Type.Literal(1), Type.Literal('many')], {
        description: 'How many rows must be selected: 1 or `many`; left out, it needs none.',
      }),
    ),
    all: Type.Optional(flag('Besides the selected rows it takes all that match the applied conditions.')),
    hidden: Type.Optional(flag('It is offered nowhere; whoever has its right keeps it.')),
    bulk: Type.Optional(flag('Its call may be made for many rows at once, each judged by itself.')),
    when: Type.Optional(when('It is offered only for rows with these values.')),
    tone: Type.Optional(oneOf(buttonTones, 'How much it stands out; `danger` for what cannot be taken back.')),
    field: Type.Optional(
      text('The field that an upload fills: the papers of a row, or the moment that a workbook gives for many.'),
    ),
    by: Type.Optional(
      someTexts('The numbers by which the rows of a workbook are found, in the order in which they are tried.'),
    ),
  },
  closed,
);

const LinesSchema = Type.Object(
  {
    name: text('The name of the list in the answer of the detail, such as `rmaCheckBillLineList`.'),
    module: text('The module whose rows the lines are.'),
    by: text('The field that both share: the number of the bill.'),
    owned: Type.Optional(flag('They are part of the bill: where it is deleted, they go with it.')),
    related: Type.Optional(
      flag(
        'They are rows of their own that are only shown here, to whoever may see their list, and as many as he sees ' +
          'there; no foreign key holds them. Lines of a published change are.',
      ),
    ),
    mayDangle,
    under: Type.Optional(
      Type.Object(
        { name: text('The earlier list.'), by: text('The field that a row shares with its row of that list.') },
        { ...closed, description: 'Each row stands under the row of an earlier list, with which it shares a field.' },
      ),
    ),
  },
  closed,
);

const rowsWhere = (description: string) =>
  Type.Optional(Type.Union([Type.Literal(true), when('Only rows with these values.')], { description }));

const WritesSchema = Type.Union(
  [
    Type.Literal('all'),
    Type.Object(
      {
        create: Type.Optional(
          Type.Literal(true, { description: 'Rows may be added: by a form (create) and by a workbook (upload).' }),
        ),
        modify: rowsWhere('Rows may be changed by the form (modify), also many at once: all of them, or some.'),
        delete: rowsWhere('Rows may be deleted (deleteById, deleteAll): all of them, or some.'),
        fill: Type.Optional(
          someTexts('The fields that a file may fill (uploadOne, uploadDocument, uploadSignForTime) beside any form.'),
        ),
      },
      closed,
    ),
  ],
  {
    description:
      'What may be written to the rows by the scripts that are the engine’s own, whatever buttons there are: `all`, as ' +
      'in a module that was made in the browser, or each that may. What is not named is refused; left out, everything ' +
      'is: the rows are written by the steps of the work alone.',
  },
);

export const DefinitionSchema = Type.Object(
  {
    $schema: Type.Optional(text('The schema that editors complete from: `../definition.schema.json`.')),
    module: Type.String({
      pattern: '^[a-z][A-Za-z0-9]*$',
      maxLength: MOST_IN_NAME,
      description: 'The name of the module, the same as that of its file; its list is `{module}List`.',
    }),
    label: words('What the list is called in the menu and above its rows.'),
    one: Type.Optional(
      words('What one of its rows is called: in tabs, headings and messages. Left out, as the list is called.'),
    ),
    table: Type.String({
      pattern: '^[a-z][a-z0-9_]*$',
      maxLength: MOST_IN_NAME,
      description: 'The table that holds the rows; it is made and extended from the fields at the next start.',
    }),
    site: Type.Union(
      [
        Type.Literal('all'),
        Type.Array(name, { ...names, minItems: 1 }),
        Type.Object(
          {
            through: text('The module through whose rows these are seen.'),
            by: text('The field that both share.'),
            as: Type.Optional(text('What that module calls the shared field, where it calls it otherwise.')),
            orNone: Type.Optional(
              Type.Literal(true, {
                description: 'Rows that stand under none of its rows belong to no site and are seen by all.',
              }),
            ),
          },
          closed,
        ),
      ],
      {
        description:
          'Whose rows these are: the fields of which one must be a site of the user, `all` for base data, or the module ' +
          'through whose rows they are seen.',
      },
    ),
    rowsOf: Type.Optional(
      Type.Object(
        {
          module: text('The module whose rows these are; the table is the same.'),
          when: when('Only rows with these values.'),
        },
        { ...closed, description: 'A list of rows of another module, with some of its fields; it only reads.' },
      ),
    ),
    viewOf: Type.Optional(
      someTexts('The table is a view that a migration makes over these tables; the engine only reads it.'),
    ),
    owner: Type.Optional(
      Type.Object(
        {
          field: text('The field that names the user whose row it is.'),
          unless: text('The button whose right lets a user see the rows of others too.'),
        },
        { ...closed, description: 'Rows are seen by their own user alone.' },
      ),
    ),
    about: Type.Optional(
      Type.Object(
        {
          module: text('The field that names the module of which a row tells.'),
          by: text('The field that names the user who did it.'),
          values: someTexts('The fields that hold values of its rows.'),
        },
        {
          ...closed,
          description: 'Its rows tell of rows of other modules, to those who may see these.',
        },
      ),
    ),
    number: Type.Optional(
      Type.Object(
        {
          field: text('The field that takes the number.'),
          prefix: Type.String({
            pattern: '^[A-Z]{3}$',
            maxLength: 3,
            description: 'Three capitals that no other module has.',
          }),
        },
        { ...closed, description: 'The number that the server gives to a new row: prefix + yyyymmdd + 5 digits.' },
      ),
    ),
    names: Type.Optional(
      Type.Record(Type.String(), name, {
        maxProperties: MOST_NAMES,
        description:
          'Names that rows answer beside ids, in the language of the user: what each is called, and the field that ' +
          'refers to the row whose name it is.',
      }),
    ),
    writes: Type.Optional(WritesSchema),
    fields: Type.Record(Type.String(), FieldSchema, {
      maxProperties: MOST_NAMES,
      description: 'The fields by name; each is a column. Numbering, versions and who wrote when are there anyway.',
    }),
    search: Type.Optional(texts('The fields above the list by which it is searched, in order.')),
    list: Type.Optional(
      Type.Object(
        {
          columns: someTexts('The columns that the list has, in order.'),
          shown: Type.Optional(
            someTexts('Those that are shown at first, in order; the others are one click away. Left out, all are.'),
          ),
          under: Type.Optional(
            Type.Record(Type.String(), name, {
              maxProperties: MOST_NAMES,
              description: 'Two columns in one cell: by the name of a shown one, which stands in small under it.',
            }),
          ),
          tabs: Type.Optional(text('A select whose values are tabs above the rows, each with its count.')),
          groups: Type.Optional(
            Type.Array(
              Type.Object(
                { label: words('What these columns are about.'), columns: someTexts('The columns, in order.') },
                closed,
              ),
              { maxItems: 50, description: 'Of a wide list: sets of columns that are shown together, one at a time.' },
            ),
          ),
          sort: Type.Optional(text('The field by which it is sorted at first; a leading minus for descending.')),
          link: Type.Optional(flag('The first column opens the detail.')),
          maxHeight: Type.Optional(
            whole('The most pixels that the table is high, 540 where nothing is said; what is longer scrolls.'),
          ),
          totals: Type.Optional(
            Type.Array(name, {
              maxItems: 12,
              description: 'Numbers whose sum over everything that matches stands under the table.',
            }),
          ),
          most: Type.Optional(
            Type.Integer({
              minimum: 1000,
              maximum: 10_000_000,
              description:
                'Of a list that only grows: so many rows are counted and leafed through at most, ten times as many ' +
                'exported, and it stands in its own order alone, which each of its indexes ends with.',
            }),
          ),
        },
        { ...closed, description: 'How the list looks; left out, it shows every field.' },
      ),
    ),
    form: Type.Optional(
      Type.Array(Type.Array(name, names), {
        ...names,
        description: 'The rows of the form; the fields of one row stand side by side.',
      }),
    ),
    detail: Type.Optional(texts('The facts at the top of the detail, in order.')),
    lines: Type.Optional(
      Type.Array(LinesSchema, { maxItems: 50, description: 'The lists under the facts of the detail.' }),
    ),
    indexes: Type.Optional(
      Type.Array(columns, {
        ...names,
        description: 'Fields that are often searched together; an index is made for each such list.',
      }),
    ),
    unique: Type.Optional(
      Type.Array(columns, {
        ...names,
        description: 'Fields whose values together no two rows share.',
      }),
    ),
    buttons: Type.Optional(
      Type.Array(ButtonSchema, { ...names, description: 'The buttons of the list and of its rows, in order.' }),
    ),
  },
  closed,
);

export type Definition = Static<typeof DefinitionSchema>;
export type Field = Static<typeof FieldSchema>;
export type Button = Static<typeof ButtonSchema>;
export interface MenuNode {
  /** A group's own name, or `{module}List` for an entry. */
  menuNo: string;
  /** Only groups have a label; an entry is named by its module. */
  label?: { zh: string; en: string };
  icon?: string;
  /** Stands nowhere; what it opens stays open to who has its right. */
  hidden?: boolean;
  children?: MenuNode[];
}
/** What a value means to its reader: green done, amber waits, red refused, blue in work, grey closed. */
export const tones = ['done', 'waits', 'refused', 'work', 'closed'] as const;
export type Tone = (typeof tones)[number];
export interface Option {
  value: string;
  label: { zh: string; en: string };
  /** None where the value is as usual: it stays plain text. */
  tone?: Tone;
  /** Rows hold it still; it is offered no more. */
  retired?: true;
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
