import type { ContentsAnswer, DefinitionChange } from '#domain/definition/change.ts';
import type { Definition, Field } from '#domain/definition/grammar.ts';

/** What becomes of what is still there under a new name: an answer in the change, or another name. Rule: definitions#former-contents. */

/** What is still there, as the check tells it; without a field it is the table's. */
export interface Held {
  field?: string;
  answer?: ContentsAnswer;
  may: readonly ContentsAnswer[];
}

/** Where the check says it. */
export const pathOfHeld = ({ field }: Pick<Held, 'field'>): string =>
  field === undefined ? 'table' : `fields.${field}`;

/** The change with an answer; null takes it out. */
export function answerContents(
  change: DefinitionChange,
  field: string | undefined,
  answer: ContentsAnswer | null,
): DefinitionChange {
  const { contents = {}, ...rest } = change;
  const { [field ?? '']: _former, ...fields } = contents.fields ?? {};
  const said = field !== undefined && answer ? { ...fields, [field]: answer } : fields;
  const ofTable = field === undefined ? answer : contents.table;
  const next = { ...(ofTable && { table: ofTable }), ...(Object.keys(said).length > 0 && { fields: said }) };
  return Object.keys(next).length > 0 ? { ...rest, contents: next } : rest;
}

/** The change with the table of its new module, or a new field, under a name that is not that one. */
export function renameHeld(
  change: DefinitionChange,
  current: Definition | null,
  field: string | undefined,
): { change: DefinitionChange; name: string } {
  const without = answerContents(change, field, null);
  if (field === undefined) {
    const definition = change.definition as Definition;
    const name = numbered(definition.table, '_', [definition.table]);
    return { change: { ...without, definition: { ...definition, table: name } }, name };
  }
  const taken = [...Object.keys(current?.fields ?? {}), ...Object.keys(change.fields ?? {})];
  const name = numbered(field, '', taken);
  return { change: renameField(without, field, name), name };
}

/** The next of its kind that is free: `fax2` after `fax`, `fax3` after that. */
function numbered(name: string, mark: string, taken: readonly string[]): string {
  const [, stem = name, n = '1'] = new RegExp(`^(.*?)${mark}(\\d*)$`).exec(name) ?? [];
  for (let next = Number(n === '' ? 1 : n) + 1; ; next++) {
    const to = `${stem}${mark}${next}`;
    if (!taken.includes(to)) return to;
  }
}

/** A new field under another name, wherever the change names it. */
function renameField(change: DefinitionChange, from: string, to: string): DefinitionChange {
  const one = (name: string): string => (name === from ? to : name === `-${from}` ? `-${to}` : name);
  const all = (names: readonly string[]): string[] => names.map(one);
  const keys = <Value>(of: Readonly<Record<string, Value>>): Record<string, Value> =>
    Object.fromEntries(Object.entries(of).map(([name, it]) => [one(name), it]));
  const within = <Whole extends object>(
    whole: Whole,
    parts: { [Part in keyof Whole]?: (it: never) => unknown },
  ): Whole =>
    Object.fromEntries(
      Object.entries(whole).map(([part, it]) => {
        const rename = parts[part as keyof Whole];
        return [part, rename && it !== null && it !== undefined ? rename(it as never) : it];
      }),
    ) as Whole;
  const inField = (it: object) =>
    within(it as Field, {
      ...{ requiredWhen: keys, visibleWhen: keys, readOnlyWhen: keys, minField: one, maxField: one },
      computed: (text: string) => renameInExpression(text, from, to),
      ref: (ref: NonNullable<Field['ref']>) =>
        ref.within ? { ...ref, within: { ...ref.within, of: one(ref.within.of) } } : ref,
    });
  const inButton = (it: object) =>
    within(it as { when?: object; field?: string; by?: string[] }, { when: keys, field: one, by: all });
  const inList = {
    ...{ columns: all, shown: all, totals: all, tabs: one, sort: one },
    under: (it: Record<string, string>) =>
      Object.fromEntries(Object.entries(it).map(([above, below]) => [one(above), one(below)])),
    groups: (them: { columns: string[] }[]) => them.map((it) => ({ ...it, columns: all(it.columns) })),
  };
  const each = (rename: (it: object) => object) => (of: Record<string, object>) =>
    Object.fromEntries(Object.entries(of).map(([name, it]) => [name, rename(it)]));
  return within(change, {
    ...{ search: all, detail: all },
    form: (rows: string[][]) => rows.map(all),
    indexes: (rows: string[][]) => rows.map(all),
    list: (list: object) => within(list, inList as never),
    fields: (of: Record<string, object>) => keys(each(inField)(of)),
    buttons: each(inButton),
    lines: (them: { by: string }[]) => them.map((it) => ({ ...it, by: one(it.by) })),
  });
}

/** Texts in it stay as they are. */
const renameInExpression = (text: string, from: string, to: string): string =>
  text
    .split(/("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/)
    .map((part, i) => (i % 2 === 1 ? part : part.replace(new RegExp(`\\b${from}\\b`, 'g'), to)))
    .join('');
