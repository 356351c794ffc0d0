import pg from 'pg';

/** How a statement goes wrong: the database refuses it, or the connection is gone before it arrives. */
export type Fault = 'refused' | 'gone';

const instead: Record<Fault, string> = {
  refused: 'SELECT 1 / 0',
  gone: 'SELECT pg_terminate_backend(pg_backend_pid())',
};

type Query = (this: pg.Client, ...args: unknown[]) => unknown;

/**
 * Lets the `nth` statement of what `work` does go wrong; says whether so many came. Nothing else may ask a database of
 * this process meanwhile.
 */
export async function withFault<T>(fault: Fault, nth: number, work: () => Promise<T>): Promise<[T, happened: boolean]> {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const real = prototype.query;
  let asked = 0;
  prototype.query = function (this: pg.Client, ...args: unknown[]) {
    asked += 1;
    if (asked !== nth) return real.apply(this, args);
    const callback = args.at(-1);
    return real.apply(this, [instead[fault], ...(typeof callback === 'function' ? [callback] : [])]);
  };
  try {
    return [await work(), asked >= nth];
  } finally {
    prototype.query = real;
  }
}
