// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSilence } from '#app/parts/scan/serverContact.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function createTestSilence() {
  const notified: string[] = [];
  return { notified, silence: createSilence((key) => void notified.push(key)) };
}

describe('a scan whose verdict does not come', () => {
  it('is told of after two seconds, and not when the verdict has come', () => {
    const { notified, silence } = createTestSilence();
    silence.expect('slow');
    silence.expect('quick');
    silence.answered('quick');
    vi.advanceTimersByTime(1999);
    expect(notified).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(notified).toEqual(['slow']);
    vi.advanceTimersByTime(10_000);
    expect(notified).toEqual(['slow']);
  });

  it('is told of at once while the server is silent; of what waited then, the newest', () => {
    const { notified, silence } = createTestSilence();
    silence.expect('a');
    silence.expect('b');
    silence.begin();
    expect(notified).toEqual(['b']);
    silence.expect('c');
    expect(notified).toEqual(['b', 'c']);
    silence.answered();
    silence.expect('d');
    expect(notified).toEqual(['b', 'c']);
    vi.advanceTimersByTime(2000);
    expect(notified).toEqual(['b', 'c', 'd']);
  });

  it('is no longer told of on a page that has gone', () => {
    const { notified, silence } = createTestSilence();
    silence.expect('a');
    silence.stop();
    vi.advanceTimersByTime(2000);
    expect(notified).toEqual([]);
  });
});
