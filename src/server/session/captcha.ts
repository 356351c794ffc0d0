import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '#server/db/tables.ts';
import { drawnInTurn, newAnswer } from '#server/session/captchaPicture.ts';

/** A new captcha: the picture as a data URL and its number. It lives two minutes and is good for one try. */
export async function newCaptcha(db: Kysely<Tables>): Promise<{ captcha: string; uuid: string }> {
  const answer = newAnswer();
  const picture = await drawnInTurn(answer);
  const uuid = randomUUID();
  await db
    .deleteFrom('captcha')
    .where('expiresAt', '<', sql<number>`now()`)
    .execute();
  await db
    .insertInto('captcha')
    .values({ uuid, answer, expiresAt: sql`now() + interval '2 minutes'` })
    .execute();
  return { captcha: `data:image/png;base64,${picture.toString('base64')}`, uuid };
}

/** Whether the answer is right. Asking uses the captcha up, whatever the answer: of fifty at once one is judged. */
export async function usesCaptcha(db: Kysely<Tables>, uuid: string, answer: string): Promise<boolean> {
  if (uuid === '' || answer === '') return false;
  const { rows } = await sql<{ answer: string; fresh: boolean }>`
    DELETE FROM captcha WHERE uuid = ${uuid} RETURNING answer, "expiresAt" > now() AS fresh`.execute(db);
  const captcha = rows[0];
  return captcha !== undefined && captcha.fresh && captcha.answer.toLowerCase() === answer.trim().toLowerCase();
}
