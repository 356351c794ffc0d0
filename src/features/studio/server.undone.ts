import { sql } from 'kysely';
import type { Definition, Model } from '#domain/definition/grammar.ts';
import type { DefinitionProblem } from '#domain/definition/problems.ts';
import type { Context } from '#server/context.ts';
import type { Definitions } from '#server/definitions/definitions.ts';

/**
 * What a draft takes out of lists, searches, forms and details that was put there by what was published since the draft was
 * begun: its columns and rows are said whole, and whoever chose them could not know of it. Rule: definitions#drafts.
 */
export async function findUndone(
  draftId: number,
  after: Model,
  { readModelBefore }: Pick<Definitions, 'readModelBefore'>,
  { db, model: now }: Context,
): Promise<DefinitionProblem[]> {
  const { rows } = await sql<{ module: string; first: number }>`
    SELECT c.module, min(p.id)::int AS first
      FROM definition_draft AS d
      JOIN sys_draft AS s ON s.id = d."draftId"
      JOIN definition_change AS c ON c.module = d.module
      JOIN definition_publish AS p ON p.id = c."publishId" AND p."isInForce" AND p.at > s."createTime"
     WHERE d."draftId" = ${draftId} GROUP BY c.module ORDER BY c.module`.execute(db);
  const problems: DefinitionProblem[] = [];
  for (const { module: where, first } of rows) {
    const was = (await readModelBefore(first)).definitions.get(where);
    const [is, will] = [now.definitions.get(where), after.definitions.get(where)];
    if (!was || !is || !will) continue;
    for (const [path, namesIn] of Object.entries(chosen)) {
      const undone = namesIn(is).filter((it) => !namesIn(was).includes(it) && !namesIn(will).includes(it));
      const what = (name: string) => `"${name}" in ${path} was published since the draft was begun`;
      problems.push(
        ...undone.map((name): DefinitionProblem => ({
          ...{ kind: 'Slip', rule: 'undoesPublished', where, what: what(name), path, name },
        })),
      );
    }
  }
  return problems;
}

/** What a change says whole, so that it leaves out whatever it does not know. */
const chosen: Readonly<Record<string, (it: Definition) => readonly string[]>> = {
  search: (it) => it.search ?? [],
  'list.columns': (it) => it.list?.columns ?? [],
  form: (it) => (it.form ?? []).flat(),
  detail: (it) => it.detail ?? [],
};
