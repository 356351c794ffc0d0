// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { oncePerFrame } from '#app/parts/scan/oncePerFrame.ts';

const FRAME = 16;

describe('a store that is drawn once a frame', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  function opens() {
    const store = oncePerFrame(0);
    const notified: number[] = [];
    store.subscribe(() => notified.push(store.drawn()));
    return { store, notified };
  }

  it('tells what changed within a frame once, as it is at its end', () => {
    const { store, notified } = opens();
    for (const it of [1, 2, 3]) store.set(it);
    expect(notified).toEqual([]);
    vi.advanceTimersByTime(FRAME);
    expect(notified).toEqual([3]);
  });

  it('does at once what has nothing to wait for, and else what is due when it is drawn', async () => {
    const { store, notified } = opens();
    const done: string[] = [];
    store.whenDrawn(() => done.push(`at once ${store.drawn()}`));
    store.set(1);
    store.whenDrawn(() => done.push(`drawn ${store.drawn()}`));
    expect(done).toEqual(['at once 0']);
    await vi.advanceTimersByTimeAsync(FRAME);
    expect(notified).toEqual([1]);
    expect(done).toEqual(['at once 0', 'drawn 1']);
  });

  it('leaves the page alone for as long as its last frame took', () => {
    const { store, notified } = opens();
    store.set(1);
    vi.advanceTimersByTime(FRAME);
    // What came in meanwhile, and the frame itself, kept the page busy.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 80);
    store.set(2);
    vi.advanceTimersByTime(60);
    expect(notified).toEqual([1]);
    vi.advanceTimersByTime(60);
    expect(notified).toEqual([1, 2]);
  });

  it('is drawn in a page that nobody sees, which has no frames', () => {
    vi.spyOn(window, 'requestAnimationFrame').mockReturnValue(1);
    const { store, notified } = opens();
    store.set(1);
    vi.advanceTimersByTime(200);
    expect(notified).toEqual([1]);
  });
});
