import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { MENU } from '#domain/definition/overlay.ts';
import type { Registers } from '#domain/definition/problems.ts';
import { saidAnew } from '#domain/definition/validateChange.ts';
import { Refusal } from '#domain/refusal.ts';
import { readTaken } from '#server/definitions/brought.ts';
import { takeModel, type ModelHolder } from '#server/definitions/follow.ts';
import type { Definitions, DraftModel } from '#server/definitions/definitions.ts';
import { findFormerContents } from '#server/definitions/formerContents.ts';
import { asideProblems } from '#server/definitions/makeWay.ts';
import { findWaitedFor, finishPublish, publish } from '#server/definitions/publish.ts';
import { findFormerNames, findPlatformTables } from '#server/definitions/platformTables.ts';
import { inSteps } from '#server/inSteps.ts';
import { readPublished } from '#server/definitions/published.ts';
import { planChange } from '#server/definitions/schema.ts';
import { publishedChanges } from '#server/definitions/pull.ts';
import { BadDefinitions, modelInSteps, readModel, tryModel, type PublishedChange } from '#server/definitions/read.ts';

const KEPT = 20;

/** The definitions of a server that shares them with others. Rule: definitions#publishing. */
export function openDefinitions(
  url: string,
  { pool, registers, holder }: { pool: pg.Pool; registers: Registers; holder: ModelHolder },
): Definitions {
  const kept = new LRUCache<string, DraftModel>({ max: KEPT });
  return {
    registers,
    current: () => holder.current,
    last: () => holder.last,
    publish: (publication, orderer) =>
      publish(url, registers, publication, ({ model, id }) => takeModel(holder, model, id), orderer),
    finish: () => finishPublish(url, registers),
    findWaitedFor: (userId) => findWaitedFor(pool, userId),
    catchUp: async (id) => {
      if (holder.last >= id) return;
      try {
        const { changes, last } = await readPublished(pool);
        takeModel(holder, readModel(registers, changes), last);
      } catch (error) {
        // Published by a newer version: whoever follows says so in the log.
        if (!(error instanceof BadDefinitions)) throw error;
      }
    },
    readPublished: async () => publishedChanges(registers, (await readPublished(pool)).changes),
    readAside: async () => asideProblems(await readTaken(pool)),
    planTables: (model, emptied, look) => planChange(pool, holder.current, model, { emptied, look }),
    findFormerNames: ({ changes }, author) => findFormerNames(pool, registers, { changes, ...author }),
    findFormerContents: async ({ model, published, changes }, author, look) => {
      const names = await findFormerNames(pool, registers, { changes, ...author });
      const found = await findFormerContents(pool, { before: published, after: model, changes }, author, look);
      return { ...found, problems: [...names, ...found.problems] };
    },
    readModelBefore: async (publishId) => tryModel(registers, (await readPublished(pool, publishId)).changes).model,
    readDraftModel: async (draftId) => {
      const { rows } = await pool.query<Required<PublishedChange> & { saved: number }>(
        `SELECT d.module, d.change, d.roles, s.version AS saved FROM sys_draft AS s LEFT JOIN definition_draft AS d ON d."draftId" = s.id
          WHERE s.id = $1 ORDER BY d.module = $2, d.module`,
        [draftId, MENU],
      );
      if (rows.length === 0) {
        const what = { zh: '草稿', en: 'Draft' };
        throw new Refusal({ key: 'notFound', field: 'id', args: { what, value: String(draftId) } });
      }
      const changes = rows.filter((it) => it.module !== null);
      const published = await readPublished(pool);
      // A part that is removed and made again counts its own versions from the beginning.
      const key = `${published.last} ${draftId} ${rows[0]?.saved}`;
      const known = kept.get(key);
      if (known) return known;
      const { model, problems } = await inSteps(modelInSteps(registers, [...published.changes, ...changes]));
      problems.push(...saidAnew(readModel(registers).definitions, changes));
      // Only of changes that have their shape can their tables be asked.
      if (problems.length === 0) problems.push(...(await findPlatformTables(pool, registers, changes)));
      const isHeld = published.last === holder.last;
      const before = isHeld ? holder.current : tryModel(registers, published.changes).model;
      const made = { model, published: before, problems, changes };
      kept.set(key, made);
      return made;
    },
  };
}
