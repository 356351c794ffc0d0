import type { FastifyInstance } from 'fastify';
import { definitionVersion } from '#domain/definitionVersion.ts';
import type { CurrentUser } from '#server/context.ts';

/**
 * One line a call, as JSON: who did what, how it ended and how long it took, under the number that the answer carries as
 * `request-id` and that an error's notice shows. Never what was sent: it may be a password.
 */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    // Open pages ask for it all day, and it does nothing.
    if (!/^\/(api|rest|file)\//.test(path) || path === definitionVersion.path) return;
    const currentUser = request.getDecorator<CurrentUser | null>('who');
    // Who tries what he may not is looked for.
    request.log[reply.statusCode === 403 ? 'warn' : 'info'](
      {
        method: request.method,
        path,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ...(currentUser && { userId: currentUser.userId }),
      },
      'answered',
    );
  });
}
