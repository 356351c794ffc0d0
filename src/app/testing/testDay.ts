import { beforeEach } from 'vitest';

/** A morning in the middle of a week and of a month, at the workshop; TEST_AT takes a run to another moment. */
const TEST_DAY = Date.parse(process.env['TEST_AT'] ?? '2026-11-18T10:00:00+08:00');

/** The pages of a file are drawn on the same day whenever it runs; the time of that day goes on. */
export function openTestDay(): void {
  const { Date: real } = globalThis;
  const ahead = TEST_DAY - real.now();
  const now = () => real.now() + ahead;
  const moved = new Proxy(real, {
    construct: (target, args: unknown[], made) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, made) as Date,
    apply: () => new real(now()).toString(),
    get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
  });
  const open = () => void (globalThis.Date = moved);
  open();
  // `vi.setSystemTime` alone puts back the machine's clock when it is over.
  beforeEach(open);
}
