import { expect, it, vi } from 'vitest';
import type { Model } from '#domain/definition/grammar.ts';
import { createHolder, publishOf, takeModel } from '#server/definitions/follow.ts';
import { openDefinitionNews } from '#server/definitions/watch.ts';

const model = (name: string) => ({ name }) as unknown as Model;

function opens() {
  const holder = createHolder(model('shipped'), 4);
  const onError = vi.fn();
  const news = openDefinitionNews(holder, onError);
  const watches = (mayNotify: () => Promise<boolean> = () => Promise.resolve(true)) => {
    const told: unknown[] = [];
    const end = vi.fn();
    // What the page reads when it hears of it is new.
    const notify = (it: unknown) => told.push([it, holder.current]);
    const leave = news.routes[0]?.watch({}, {} as never, { userId: 'li', mayNotify, notify, end });
    return { told, end, leave: leave as () => void };
  };
  return { holder, news, onError, watches };
}

it('a publish is told after the server has it, once, and what it had already at once', async () => {
  const { holder, watches } = opens();
  const { told } = watches();
  expect(told).toEqual([[{ last: 4 }, model('shipped')]]);
  takeModel(holder, model('next'), 5);
  takeModel(holder, model('next'), 5);
  takeModel(holder, model('older'), 3);
  await vi.waitFor(() => expect(told.slice(1)).toEqual([[{ last: 5 }, model('next')]]));
  expect([publishOf(holder.current), publishOf(model('none'))]).toEqual([5, 0]);
});

it('a publish while another is told is told as well', async () => {
  const { holder, watches } = opens();
  const hasCome: (() => void)[] = [];
  const { told } = watches(() => new Promise((done) => hasCome.push(() => done(true))));
  takeModel(holder, model('five'), 5);
  await vi.waitUntil(() => hasCome.length === 1);
  takeModel(holder, model('six'), 6);
  hasCome[0]?.();
  await vi.waitUntil(() => hasCome.length === 2);
  hasCome[1]?.();
  await vi.waitFor(() => expect(told.at(-1)).toEqual([{ last: 6 }, model('six')]));
});

it('nothing is told to who has no session any more, or has left', async () => {
  const { holder, watches } = opens();
  const [gone, left, here] = [watches(() => Promise.resolve(false)), watches(), watches()];
  left.leave();
  takeModel(holder, model('next'), 5);
  await vi.waitUntil(() => here.told.length === 2);
  expect([gone.told.length, left.told.length, gone.end.mock.calls.length]).toEqual([1, 1, 1]);
});

it('what could not be told is told at the next beat, and nothing is once it is closed', async () => {
  const { holder, news, onError, watches } = opens();
  let isDown = true;
  const { told } = watches(() => (isDown ? Promise.reject(new Error('down')) : Promise.resolve(true)));
  takeModel(holder, model('next'), 5);
  await vi.waitUntil(() => onError.mock.calls.length === 1);
  isDown = false;
  news.beat();
  await vi.waitUntil(() => told.length === 2);
  news.close();
  expect(holder.listeners.size).toBe(0);
});
