// @vitest-environment jsdom
import { onlineManager, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { configuration } from '#app/configuration.ts';
import { createClient, readAnew } from '#app/queryClient.ts';
import { CallError } from '#app/send.ts';

const retries = configuration.readRetries;
beforeEach(() => {
  configuration.readRetries = 3;
  vi.useFakeTimers();
});
afterEach(() => {
  configuration.readRetries = retries;
  onlineManager.setOnline(true);
  vi.useRealTimers();
});

const network = new CallError({ status: 0, network: true });
const busy = (retryAfter: number) => new CallError({ status: 429, retryAfter });

/** A read that a page shows, which fails until it `answers`. */
function read(error: Error) {
  const client = createClient();
  client.mount();
  const ask = vi.fn((): Promise<string> => Promise.reject(error));
  const observer = new QueryObserver(client, { queryKey: ['it'], queryFn: ask });
  const close = observer.subscribe(() => undefined);
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  return { ask, pass, close, now: () => observer.getCurrentResult(), answers: () => ask.mockResolvedValue('here') };
}

it.each([
  ['not reached', network],
  ['not well', new CallError({ status: 500 })],
  ['missing its database', new CallError({ status: 503 })],
])('a read of a server that is %s is repeated three times, each pause twice the one before', async (_, error) => {
  const { ask, pass, now } = read(error);
  await pass(0);
  for (const [calls, pause] of [
    [1, 500],
    [2, 1000],
    [3, 2000],
  ] as const) {
    await pass(pause - 1);
    expect([ask.mock.calls.length, now().status]).toEqual([calls, 'pending']);
    await pass(1);
  }
  expect([ask.mock.calls.length, now().status]).toEqual([4, 'error']);
  await pass(600_000);
  expect(ask).toHaveBeenCalledTimes(4);
});

it('is there as soon as the server is well', async () => {
  const { ask, pass, now, answers } = read(network);
  await pass(0);
  answers();
  await pass(500);
  expect([ask.mock.calls.length, now().data]).toEqual([2, 'here']);
});

it.each([
  ['a refusal', new CallError({ status: 200, code: 'notFound' })],
  ['no session', new CallError({ status: 401, code: '401' })],
  ['no right', new CallError({ status: 403 })],
  ['nothing there', new CallError({ status: 404 })],
  ['a fault of the page', new Error('undefined is no function')],
])('%s is an answer', async (_, error) => {
  const { ask, pass, now } = read(error);
  await pass(600_000);
  expect([ask.mock.calls.length, now().status]).toEqual([1, 'error']);
});

it('where there were too many calls it waits as long as the server says, and is told so where that is long', async () => {
  const short = read(busy(7));
  await short.pass(6999);
  expect(short.ask).toHaveBeenCalledTimes(1);
  await short.pass(1);
  expect(short.ask).toHaveBeenCalledTimes(2);
  const long = read(busy(60));
  await long.pass(0);
  expect([long.ask.mock.calls.length, long.now().status]).toEqual([1, 'error']);
});

it('is not repeated for a page that was left', async () => {
  const { ask, pass, close } = read(network);
  await pass(0);
  close();
  await pass(600_000);
  expect(ask).toHaveBeenCalledTimes(1);
});

it('is asked without a network as well, and anew when that is back', async () => {
  onlineManager.setOnline(false);
  const { ask, pass, now, answers } = read(network);
  await pass(10_000);
  expect([ask.mock.calls.length, now().status]).toEqual([4, 'error']);
  answers();
  onlineManager.setOnline(true);
  await pass(0);
  expect(now().data).toBe('here');
});

it('what a write has changed is read anew, also where the first read of it began before and ends after', async () => {
  const client = createClient();
  client.mount();
  const answers: ((it: string) => void)[] = [];
  const ask = vi.fn(() => new Promise<string>((answer) => void answers.push(answer)));
  const observer = new QueryObserver(client, { queryKey: ['it'], queryFn: ask });
  const close = observer.subscribe(() => undefined);
  const again = readAnew(client, { queryKey: ['it'] });
  await vi.advanceTimersByTimeAsync(0);
  expect(ask).toHaveBeenCalledTimes(2);
  answers[0]?.('as it was before');
  answers[1]?.('as it is');
  await again;
  expect(observer.getCurrentResult().data).toBe('as it is');
  close();
});
