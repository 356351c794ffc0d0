import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call: `public`, `signedIn`, `module:button`; `byModule` where the definition says it for each module. */
    right?: string;
  }
}

/**
 * Makes a route without a declared right stop the start: what forgot to say who may call it must not be reachable.
 * What lies outside of these addresses is the client's files and the health checks. Design section 8.
 */
export function demandRights(app: FastifyInstance): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (/^\/(api|rest|file)(\/|$)/.test(url) && !config?.right) throw new Error(`${method} ${url} declares no right`);
  });
}
