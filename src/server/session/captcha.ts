import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import svgCaptcha from 'svg-captcha';
import type { Tables } from '#server/db/tables.ts';

/** A new captcha: the picture as a data URL and its number. It lives two minutes and is good for one try. */
export async function newCaptcha(db: Kysely<Tables>): Promise<{ captcha: string; uuid: string }> {
  const { text, data } = svgCaptcha.create({
    size: 4,
    ignoreChars: '0oO1iIlL5sS2zZ8B9gq',
    noise: 2,
    width: 120,
    height: 40,
  });
  const uuid = randomUUID();
  await db
    .deleteFrom('captcha')
    .where('expiresAt', '<', sql<number>`now()`)
    .execute();
  await db
    .insertInto('captcha')
    .values({ uuid, answer: text, expiresAt: sql`now() + interval '2 minutes'` })
    .execute();
  return { captcha: `data:image/svg+xml;base64,${Buffer.from(data).toString('base64')}`, uuid };
}

/** Whether the answer is right. Asking uses the captcha up, whatever the answer: of fifty at once one is judged. */
export async function usesCaptcha(db: Kysely<Tables>, uuid: string, answer: string): Promise<boolean> {
  if (uuid === '' || answer === '') return false;
  const { rows } = await sql<{ answer: string; fresh: boolean }>`
    DELETE FROM captcha WHERE uuid = ${uuid} RETURNING answer, "expiresAt" > now() AS fresh`.execute(db);
  const captcha = rows[0];
  return captcha !== undefined && captcha.fresh && captcha.answer.toLowerCase() === answer.trim().toLowerCase();
}
