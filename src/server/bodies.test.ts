import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { addBodyParsers } from '#server/bodies.ts';
import { readInput, type Schema } from '#server/readInput.ts';

it('of large bodies that come at once, whatever their type, one is read, and then others have some turns of the event loop', async () => {
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
  const gaps = turns.slice(1).map((it, i) => it - (turns[i] ?? 0));
  expect(gaps).toHaveLength(19);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(5);
  await app.close();
});

it('of a list that is too long no more is read than shows it', () => {
  const list = (maxItems: number) => ({ type: 'array', maxItems, items: { type: 'string' } });
  const read = (schema: Schema) =>
    readInput(
      { type: 'object', properties: { sns: schema } },
      { sns: [1, 2, 3, 4, 5] },
      '/api/rmaInventory/find.json',
      () => undefined,
    );
  expect(read(list(2))).toEqual({ sns: ['1', '2', '3'] });
  expect(read({ anyOf: [list(2), list(3)] })).toEqual({ sns: ['1', '2', '3', '4'] });
  expect(read({ type: 'array', items: { type: 'string' } })).toEqual({ sns: ['1', '2', '3', '4', '5'] });
});
