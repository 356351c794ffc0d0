import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ASK_MS, createPublishes, type PublishPorts } from '#app/shell/publishes.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const passes = (ms: number) => vi.advanceTimersByTimeAsync(ms);
/** What is due now is done. */
const settles = () => passes(5);
/** Longer than any pause between two tries. */
const LONG = 40_000;

function opens({
  drawnBy = undefined as number | undefined,
  ...part
}: Partial<Omit<PublishPorts, 'drawnBy'>> & { drawnBy?: number } = {}) {
  const watches: { tells: (last: number) => void; breaks: () => void; signal: AbortSignal }[] = [];
  const seen = { isReachable: true, isWatched: true };
  const server = { last: 1 };
  /** The page is drawn by what there was when it began to read. */
  const read = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const ask = vi.fn(() => Promise.resolve(server.last));
  const publishes = createPublishes({
    watch: (onEvent, signal) =>
      new Promise((_, fail) => {
        watches.push({ tells: (last) => onEvent({ last }), breaks: () => fail(new TypeError('network')), signal });
        signal.addEventListener('abort', () => fail(new DOMException('', 'AbortError')));
      }),
    ask,
    read,
    isReachable: () => seen.isReachable,
    isWatched: () => seen.isWatched,
    spread: () => 0,
    drawnBy: () => drawnBy,
    ...part,
  });
  publishes.start();
  return { publishes, watches, seen, server, read, ask, last: () => watches.at(-1) as (typeof watches)[number] };
}

describe('what is published', () => {
  it('is read once, and what the page was drawn by is not', async () => {
    const { read, ask, last } = opens({ drawnBy: 4 });
    last().tells(4);
    await passes(LONG);
    expect(read).not.toHaveBeenCalled();
    last().tells(5);
    last().tells(5);
    await passes(LONG);
    expect(read).toHaveBeenCalledOnce();
    expect(ask).not.toHaveBeenCalled();
  });

  it('before the page heard anything is read, where the page was drawn by an older one', async () => {
    const { read, last } = opens({ drawnBy: 4 });
    last().tells(5);
    await settles();
    expect(read).toHaveBeenCalledOnce();
  });

  it('twice while the page reads is read once more, and no more than that', async () => {
    const readings: (() => void)[] = [];
    const read = vi.fn(() => new Promise<void>((done) => readings.push(done)));
    const { last } = opens({ read });
    for (const it of [1, 2]) last().tells(it);
    await settles();
    for (const it of [3, 4]) last().tells(it);
    await passes(LONG);
    expect(readings).toHaveLength(1);
    readings[0]?.();
    await settles();
    expect(readings).toHaveLength(2);
    readings[1]?.();
    await passes(LONG);
    expect(readings).toHaveLength(2);
  });

  it('and could not be read is read again after growing pauses', async () => {
    const read = vi.fn<() => Promise<void>>().mockRejectedValue(new Error('down'));
    const { last } = opens({ read });
    for (const it of [1, 2]) last().tells(it);
    await settles();
    for (const [i, ms] of [1000, 2000, 4000].entries()) {
      await passes(ms - 10);
      expect(read).toHaveBeenCalledTimes(i + 1);
      await passes(10);
      expect(read).toHaveBeenCalledTimes(i + 2);
    }
    read.mockResolvedValue();
    await passes(10 * LONG);
    expect(read).toHaveBeenCalledTimes(5);
  });

  it('is read by each window at a time of its own', async () => {
    const windows = [0, 400, 900].map((ms) => opens({ spread: () => ms }));
    for (const { last } of windows) [1, 2].forEach((it) => last().tells(it));
    const reading = () => windows.map(({ read }) => read.mock.calls.length);
    await settles();
    expect(reading()).toEqual([1, 0, 0]);
    await passes(500);
    expect(reading()).toEqual([1, 1, 0]);
    await passes(500);
    expect(reading()).toEqual([1, 1, 1]);
  });

  it('is read, whoever tells it, but not once the page has gone', async () => {
    const { publishes, read, last } = opens();
    last().tells(1);
    publishes.tell(2);
    await settles();
    expect(read).toHaveBeenCalledOnce();
    publishes.stop();
    expect(last().signal.aborted).toBe(true);
    publishes.tell(3);
    await passes(LONG);
    expect(read).toHaveBeenCalledOnce();
  });
});

describe('a stream', () => {
  it('that broke is read again, and what was published meanwhile is not missed', async () => {
    const { watches, read, last } = opens();
    last().tells(1);
    last().breaks();
    await passes(1000);
    expect(watches).toHaveLength(2);
    last().tells(1);
    await passes(LONG);
    expect(read).not.toHaveBeenCalled();
    last().breaks();
    await passes(1000);
    last().tells(2);
    await settles();
    expect(read).toHaveBeenCalledOnce();
  });

  it('is left to others while nobody looks, and tells at once what was missed', async () => {
    const { publishes, watches, seen, read, ask, last } = opens();
    last().tells(1);
    seen.isWatched = false;
    publishes.wake();
    expect(last().signal.aborted).toBe(true);
    await passes(10 * ASK_MS);
    expect([watches.length, ask.mock.calls.length]).toEqual([1, 0]);
    seen.isWatched = true;
    publishes.wake();
    expect(watches).toHaveLength(2);
    last().tells(2);
    await settles();
    expect(read).toHaveBeenCalledOnce();
  });
});

describe('where no stream can be had', () => {
  it('it is asked at once, and then now and then, and the stream is tried on', async () => {
    const watch = vi.fn<PublishPorts['watch']>(() => Promise.reject(new TypeError('cut')));
    const { server, read, ask } = opens({ watch });
    await settles();
    expect(ask).toHaveBeenCalledOnce();
    server.last = 2;
    await passes(ASK_MS);
    expect([ask.mock.calls.length, read.mock.calls.length]).toEqual([2, 1]);
    await passes(10 * ASK_MS);
    expect([ask.mock.calls.length, read.mock.calls.length]).toEqual([12, 1]);
    expect(watch.mock.calls.length).toBeGreaterThan(10);
  });

  it('it is asked as well while a stream says nothing, until it does', async () => {
    const { read, ask, server, last } = opens();
    await passes(ASK_MS);
    server.last = 2;
    await passes(ASK_MS);
    await settles();
    expect([ask.mock.calls.length, read.mock.calls.length]).toEqual([2, 1]);
    last().tells(2);
    await passes(10 * ASK_MS);
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it('an answer that did not come is asked for again', async () => {
    const ask = vi.fn<PublishPorts['ask']>().mockRejectedValueOnce(new TypeError('cut')).mockResolvedValue(2);
    const { read } = opens({ ask, drawnBy: 1 });
    await passes(ASK_MS);
    expect(read).not.toHaveBeenCalled();
    await passes(ASK_MS);
    await settles();
    expect(read).toHaveBeenCalledOnce();
  });

  it('nothing is asked while nobody looks, and at once when somebody does', async () => {
    const { publishes, ask, seen } = opens({ watch: () => Promise.reject(new TypeError('cut')) });
    await settles();
    seen.isWatched = false;
    publishes.wake();
    await passes(10 * ASK_MS);
    expect(ask).toHaveBeenCalledOnce();
    seen.isWatched = true;
    publishes.wake();
    await settles();
    expect(ask).toHaveBeenCalledTimes(2);
  });
});
