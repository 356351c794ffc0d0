// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ColleagueNews, TELL_AGAIN_MS } from '#domain/colleagues.ts';
import { CallError } from '#app/send.ts';
import { type ColleaguePorts, createColleagues } from '#app/parts/scan/colleagues.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const li = (...snList: string[]) => ({ userId: 'li', userName: 'Li', snList });
const news = (submitted: boolean, ...others: ReturnType<typeof li>[]): ColleagueNews => ({
  others,
  submitted,
  last: 0,
});
const noNetwork = () => new CallError({ status: 0, network: true });

function opens(part: Partial<ColleaguePorts> = {}) {
  const announced: string[] = [];
  const watches: { onNews: (it: ColleagueNews) => void; breaks: () => void; signal: AbortSignal }[] = [];
  const submitted = vi.fn();
  const seen = { isReachable: true, isWatched: true };
  const colleagues = createColleagues({
    announce: (snList, hasSubmitted) => {
      announced.push(`${snList.join()}${hasSubmitted ? '!' : ''}`);
      return Promise.resolve();
    },
    watch: (onNews, signal) =>
      new Promise((_, fail) => {
        watches.push({ onNews, breaks: () => fail(noNetwork()), signal });
        signal.addEventListener('abort', () => fail(new DOMException('', 'AbortError')));
      }),
    submitted,
    isReachable: () => seen.isReachable,
    isWatched: () => seen.isWatched,
    spread: () => 0,
    ...part,
  });
  colleagues.start();
  return { colleagues, announced, watches, submitted, seen, last: () => watches.at(-1) as (typeof watches)[number] };
}
const passes = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('one’s own list', () => {
  it('is told within a second, what is scanned together at once, and told again while it lasts', async () => {
    const { colleagues, announced } = opens();
    colleagues.share(['A']);
    colleagues.share(['A', 'B']);
    await passes(1000);
    expect(announced).toEqual(['A,B']);
    await passes(TELL_AGAIN_MS);
    expect(announced).toEqual(['A,B', 'A,B']);
    colleagues.share([]);
    colleagues.noteSubmitted();
    await passes(10 * TELL_AGAIN_MS);
    expect(announced).toEqual(['A,B', 'A,B', '!']);
  });

  it('is not told at all while it is empty', async () => {
    const { colleagues, announced } = opens();
    colleagues.share([]);
    await passes(10 * TELL_AGAIN_MS);
    expect(announced).toEqual([]);
  });

  it('waits without a network, a submit included, and is told when there is one again', async () => {
    const { colleagues, announced, seen } = opens();
    seen.isReachable = false;
    colleagues.wake();
    colleagues.share(['A']);
    colleagues.noteSubmitted();
    await passes(10 * TELL_AGAIN_MS);
    expect(announced).toEqual([]);
    seen.isReachable = true;
    colleagues.wake();
    await passes(1000);
    expect(announced).toEqual(['A!']);
  });

  it('that did not arrive is told later with what it said', async () => {
    const announce = vi.fn<ColleaguePorts['announce']>(() => Promise.resolve());
    announce.mockRejectedValueOnce(noNetwork());
    const { colleagues } = opens({ announce });
    colleagues.noteSubmitted();
    await passes(1000 + TELL_AGAIN_MS);
    expect(announce.mock.calls).toEqual([
      [[], true],
      [[], true],
    ]);
  });
});

describe('what the others do', () => {
  it('is known while the stream lives, and brings the page up to date when they submit', async () => {
    const { colleagues, submitted, last } = opens();
    last().onNews(news(false, li('A')));
    expect(colleagues.state.get()).toEqual([li('A')]);
    expect(submitted).not.toHaveBeenCalled();
    last().onNews(news(true));
    expect(colleagues.state.get()).toEqual([]);
    expect(submitted).toHaveBeenCalledOnce();
    last().onNews(news(false, li('B')));
    last().breaks();
    await passes(0);
    expect(colleagues.state.get()).toEqual([]);
  });

  it('is asked for again after growing pauses, and then a submit may have been missed', async () => {
    const { watches, submitted, last } = opens();
    last().onNews(news(false));
    for (const [i, ms] of [1000, 2000, 4000].entries()) {
      last().breaks();
      await passes(ms - 10);
      expect(watches).toHaveLength(i + 1);
      await passes(20);
      expect(watches).toHaveLength(i + 2);
    }
    expect(submitted).not.toHaveBeenCalled();
    last().onNews(news(false));
    expect(submitted).toHaveBeenCalledOnce();
  });

  it.each(['isReachable', 'isWatched'] as const)('is left alone while not %s', async (what) => {
    const { colleagues, watches, seen, last } = opens();
    last().onNews(news(false, li('A')));
    seen[what] = false;
    colleagues.wake();
    expect(last().signal.aborted).toBe(true);
    expect(colleagues.state.get()).toEqual([]);
    await passes(100_000);
    expect(watches).toHaveLength(1);
    seen[what] = true;
    colleagues.wake();
    expect(watches).toHaveLength(2);
  });

  it('is not asked for again where the server said no, nor after the page has gone', async () => {
    const watch = vi.fn<ColleaguePorts['watch']>(() =>
      Promise.reject(new CallError({ status: 403, problems: [{ key: 'noRight', msg: 'no' }] })),
    );
    const { colleagues, announced } = opens({ watch });
    await passes(100_000);
    colleagues.wake();
    colleagues.share(['A']);
    await passes(1000);
    expect(watch).toHaveBeenCalledOnce();
    expect(announced).toEqual([]);
    const { colleagues: gone, watches } = opens();
    gone.stop();
    await passes(100_000);
    expect(watches.map((it) => it.signal.aborted)).toEqual([true]);
  });
});
