import type { Kysely } from 'kysely';
import { DAY_MS } from '#domain/day.ts';
import { DraftStatus } from '#domain/enums.ts';
import type { Tables } from '#server/db/tables.ts';
import { stamp, type World } from './world.ts';

const MODULE = 'ubsCountry';

/** A change of a list that somebody has begun and not published: what it changes is added when it has its id. */
export function addDraft({ rows, now }: World): void {
  rows.add('sys_draft', {
    name: '国家列表改名',
    status: DraftStatus.Open,
    modules: MODULE,
    ...stamp(now - 2 * DAY_MS, 'admin'),
  });
}

export async function addDraftChanges(db: Kysely<Tables>): Promise<void> {
  const drafts = await db.selectFrom('sys_draft').select(['id', 'createBy', 'createTime']).execute();
  for (const { id, createBy, createTime } of drafts) {
    const change = JSON.stringify({ label: { zh: '国家和地区', en: 'Countries and regions' } });
    await db
      .insertInto('definition_draft')
      .values({ draftId: id, module: MODULE, change, updateBy: createBy, updateTime: new Date(createTime) })
      .execute();
  }
}
