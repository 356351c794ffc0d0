import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Definition, MenuNode, Model } from '#domain/definition/grammar.ts';
import { MENU } from '#domain/definition/overlay.ts';
import type { DefinitionProblem } from '#domain/definition/problems.ts';
import { inBoth } from '#domain/words.ts';
import type { Context } from '#server/context.ts';
import type { Definitions, DraftModel } from '#server/definitions/definitions.ts';

/**
 * What a draft undoes of what was published since it was begun. It says the columns of a list, the rows of a form, the values
 * of an option list and the menu whole, and whoever chose them could not know of it. Rule: definitions#slips.
 */
export async function findUndone(
  draftId: number,
  { model: after, changes }: DraftModel,
  { readModelBefore }: Pick<Definitions, 'readModelBefore'>,
  { db, model: now }: Context,
): Promise<DefinitionProblem[]> {
  const { rows } = await sql<{ first: number | null }>`
    SELECT min(p.id)::int AS first FROM sys_draft AS s JOIN definition_publish AS p ON p.at > s."createTime"
     WHERE s.id = ${draftId}`.execute(db);
  const first = rows[0]?.first;
  if (first == null) return [];
  const was = await readModelBefore(first);
  return changes.flatMap(({ module, change }) => {
    const said = (it: Model) => [...saidOf(it, module), ...valuesIn(it, Object.keys(change.options ?? {}))];
    const [then, is, will] = [was, now, after].map((it) => new Map(said(it).map((one) => [keyOf(one), one])));
    return [...(is?.values() ?? [])]
      .filter((it) => {
        const [before, to] = [then?.get(keyOf(it)), will?.get(keyOf(it))];
        return !isDeepStrictEqual(before?.value, it.value) && !isDeepStrictEqual(to?.value, it.value);
      })
      .map(({ path, name }) => ({
        ...{ kind: 'Slip', rule: 'undoesPublished', where: module, path, name },
        what: `"${name}" in ${path} was published since the draft was begun`,
      }));
  });
}

/** What stands at a place: a name that is there, or what is said of it. */
interface Said {
  path: string;
  id: string;
  name: string;
  value: unknown;
}
const keyOf = ({ path, id }: Said) => `${path} ${id}`;

function saidOf(model: Model, module: string): Said[] {
  if (module === MENU) return entriesIn(model.menu, '');
  const definition = model.definitions.get(module);
  if (!definition) return [];
  return Object.entries(chosen).flatMap(([path, namesIn]) =>
    namesIn(definition).map((name) => ({ path, id: name, name, value: true })),
  );
}

const chosen: Readonly<Record<string, (it: Definition) => readonly string[]>> = {
  search: (it) => it.search ?? [],
  'list.columns': (it) => it.list?.columns ?? [],
  form: (it) => (it.form ?? []).flat(),
  detail: (it) => it.detail ?? [],
};

const entriesIn = (nodes: readonly MenuNode[], group: string): Said[] =>
  nodes.flatMap(({ menuNo, label, icon, hidden = false, children = [] }) => [
    {
      path: menuNo,
      id: menuNo,
      name: label ? inBoth(label.zh, label.en) : menuNo,
      value: { label, icon, hidden, group },
    },
    ...entriesIn(children, menuNo),
  ]);

const valuesIn = ({ options }: Model, lists: readonly string[]): Said[] =>
  lists.flatMap((list) =>
    (options[list] ?? []).map((it) => ({
      path: `options.${list}`,
      id: it.value,
      name: inBoth(it.label.zh, it.label.en),
      value: it,
    })),
  );
