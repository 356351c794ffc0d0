// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSilence } from '#app/parts/scan/serverContact.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function hears() {
  const told: string[] = [];
  return { told, silence: createSilence((key) => void told.push(key)) };
}

describe('a scan whose verdict does not come', () => {
  it('is told of after two seconds, and not when the verdict has come', () => {
    const { told, silence } = hears();
    silence.expect('slow');
    silence.expect('quick');
    silence.answered('quick');
    vi.advanceTimersByTime(1999);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(told).toEqual(['slow']);
    vi.advanceTimersByTime(10_000);
    expect(told).toEqual(['slow']);
  });

  it('is told of at once while the server is silent; of what waited then, the newest', () => {
    const { told, silence } = hears();
    silence.expect('a');
    silence.expect('b');
    silence.begin();
    expect(told).toEqual(['b']);
    silence.expect('c');
    expect(told).toEqual(['b', 'c']);
    silence.answered();
    silence.expect('d');
    expect(told).toEqual(['b', 'c']);
    vi.advanceTimersByTime(2000);
    expect(told).toEqual(['b', 'c', 'd']);
  });

  it('is no longer told of on a page that has gone', () => {
    const { told, silence } = hears();
    silence.expect('a');
    silence.stop();
    vi.advanceTimersByTime(2000);
    expect(told).toEqual([]);
  });
});
