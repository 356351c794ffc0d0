import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { addBodyParsers } from '#server/bodies.ts';

it('of large bodies that come at once, whatever their type, one is read in each turn of the event loop', async () => {
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  const app = Fastify();
  addBodyParsers(app);
  const turns: number[] = [];
  app.post('/', async () => void turns.push(turn));
  await app.ready();
  setImmediate(count);
  const remark = 'a'.repeat(20_000);
  const send = (type: string, payload: string) =>
    app.inject({ method: 'POST', url: '/', headers: { 'content-type': type }, payload });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      n % 2 === 0
        ? send('application/json', JSON.stringify({ remark }))
        : send('application/x-www-form-urlencoded', `remark=${remark}`),
    ),
  );
  isOver = true;
  expect(answers.map((it) => it.statusCode)).toEqual(answers.map(() => 200));
  expect(new Set(turns).size).toBe(20);
  await app.close();
});
