import { features } from '#tests/support/features.ts';
import type { Context } from '#server/context.ts';
import type { openNumbers } from '#server/db/numbers.ts';
import { whoOf } from '#server/session/sessions.ts';
import type { TestApp } from '#tests/support/app.ts';

/** What a handler is given when this user asks, outside of any request. */
export async function contextFor(house: TestApp, userId: string): Promise<Context> {
  const token = await house.tokenOf(userId);
  const who = await whoOf(house.db, token);
  if (!who) throw new Error(`${userId} is not signed in`);
  return {
    db: house.db,
    search: house.search,
    who,
    lang: 'en',
    model: house.model,
    numbers: unused,
    hooks: features.hooks,
    config: house.config,
    demo: false,
    request: { id: 'TEST', ip: '127.0.0.1', secure: false, userAgent: '', token },
  };
}

const unused: ReturnType<typeof openNumbers> = {
  many: () => Promise.reject(new Error('no number is asked for here')),
  next: () => Promise.reject(new Error('no number is asked for here')),
  close: () => Promise.resolve(),
};
