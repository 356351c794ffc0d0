import { features } from '#tests/support/features.ts';
import type { Context } from '#server/context.ts';
import type { openNumbers } from '#server/db/numbers.ts';
import { findCurrentUser } from '#server/session/sessions.ts';
import type { TestApp } from '#tests/support/app.ts';

/** What a handler is given when this user asks, outside of any request. */
export async function contextFor(testApp: TestApp, userId: string): Promise<Context> {
  const token = await testApp.openToken(userId);
  const currentUser = await findCurrentUser(testApp.db, token);
  if (!currentUser) throw new Error(`${userId} is not signed in`);
  return {
    db: testApp.db,
    search: testApp.search,
    currentUser,
    lang: 'en',
    model: testApp.model,
    numbers: unused,
    hooks: features.hooks,
    config: testApp.config,
    definitions: testApp.definitions,
    demo: false,
    request: { id: 'TEST', ip: '127.0.0.1', secure: false, userAgent: '', token },
  };
}

const unused: ReturnType<typeof openNumbers> = {
  many: () => Promise.reject(new Error('no number is asked for here')),
  next: () => Promise.reject(new Error('no number is asked for here')),
  close: () => Promise.resolve(),
};
