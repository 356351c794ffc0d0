import { expect, it } from 'vitest';
import { createTurns } from '#server/turns.ts';

it('works so many at once, lets some wait, refuses whoever comes beyond them, and goes on after a failure', async () => {
  const inTurn = createTurns(1, 1);
  const begun: string[] = [];
  const work = (name: string) => {
    let end: (error?: Error) => void = () => undefined;
    const ended = new Promise<void>((done, fail) => (end = (error) => (error ? fail(error) : done())));
    const answer = inTurn(() => {
      begun.push(name);
      return ended;
    });
    return { answer, end };
  };
  const [first, second, third] = [work('first'), work('second'), work('third')];
  const refused = third.answer.catch((error: unknown) => error);
  expect(begun).toEqual(['first']);
  first.end(new Error('broke off'));
  await expect(first.answer).rejects.toThrow('broke off');
  expect(begun).toEqual(['first', 'second']);
  second.end();
  await second.answer;
  third.end();
  expect(await refused).toMatchObject({ problems: [{ key: 'tooMany' }] });
  const fourth = work('fourth');
  expect(begun).toEqual(['first', 'second', 'fourth']);
  fourth.end();
  await fourth.answer;
});
