import type { FastifyInstance } from 'fastify';
import { asksForNone } from '#domain/rights.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call: `public`, `signedIn`, `module:button`; `byModule` where the definition says it for each module. */
    right?: string;
    /** Why that is enough, where no right is asked for. */
    why?: string;
    /** It is answered with a stream, which has no end of its own. */
    streams?: true;
    /**
     * Whether it answers by a draft that is looked at. Left out, a GET answers as ever and everything else is refused; a
     * GET that does more than look says no. Rule: definitions#preview.
     */
    previews?: boolean;
  }
  interface FastifyInstance {
    /** Every call of the server and who may make it. */
    declaredRights: readonly DeclaredRight[];
  }
}

interface DeclaredRight {
  method: string;
  url: string;
  right: string;
  why?: string;
  streams?: true;
}

/**
 * Fails the start when a route declares no right, so that nothing is reachable by an oversight; and when one asks for
 * no right without a reason. Other addresses are only the client's files and the health checks. Rule: rights#calls.
 */
export function demandRights(app: FastifyInstance): void {
  const declared: DeclaredRight[] = [];
  app.decorate('declaredRights', declared);
  app.addHook('onRoute', ({ method, url, config }) => {
    if (!/^\/(api|rest|file)(\/|$)/.test(url)) return;
    if (!config?.right) throw new Error(`${String(method)} ${url} declares no right`);
    const { right, why, streams } = config;
    if (asksForNone(right) && !why) throw new Error(`${String(method)} ${url} does not say why it asks for no right`);
    declared.push({ method: String(method), url, right, ...(why && { why }), ...(streams && { streams }) });
  });
}
