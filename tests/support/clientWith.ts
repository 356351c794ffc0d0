import type pg from 'pg';

/** The client, with something that happens before each of its statements that holds these words. */
export function clientWith(client: pg.Client, words: string, meanwhile: () => Promise<unknown>): pg.Client {
  const query = async (...given: unknown[]): Promise<unknown> => {
    if (typeof given[0] === 'string' && given[0].includes(words)) await meanwhile();
    return (client.query as (...them: unknown[]) => Promise<unknown>).apply(client, given);
  };
  return new Proxy(client, {
    get: (it, name) => (name === 'query' ? query : (Reflect.get(it, name) as unknown)),
  });
}
