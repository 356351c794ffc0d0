import { stubNetwork } from '#app/testing/network.ts';

/** What of the test server is used here; its own types are Node's, which stand in no program of the browser. */
interface TestServer {
  app: {
    inject: (request: object) => Promise<{ statusCode: number; body: string; headers: Record<string, string> }>;
  };
  openToken: (userId: string) => Promise<string>;
  close: () => Promise<void>;
}

export interface RealServer {
  /** `GET pager`, `POST create`, …: each call of a module as it went out. */
  asked: string[];
  openToken: TestServer['openToken'];
  close: TestServer['close'];
}

/** Stands where the network would be, with the whole server and its database behind. */
export async function realServer(): Promise<RealServer> {
  const support: string = '#tests/support/app.ts';
  const { startTestApp } = (await import(support)) as { startTestApp: () => Promise<TestServer> };
  const { app, openToken, close } = await startTestApp();
  const asked: string[] = [];
  stubNetwork(async (url, { method = 'GET', headers, body }) => {
    const action = /^\/api\/(\w+\/\w+)\.json/.exec(url)?.[1];
    if (action) asked.push(action);
    const reply = await app.inject({ method, url, headers: Object.fromEntries(new Headers(headers)), payload: body });
    return new Response(reply.body, { status: reply.statusCode, headers: { 'content-type': 'application/json' } });
  });
  return { asked, openToken, close };
}
