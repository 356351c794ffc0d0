import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChangeSchema } from '#domain/definition/change.ts';
import { actions, ask, begun, openActions, testApp, type Submit, type TestAction } from '#tests/support/actions.ts';
import { edges, trees } from '#tests/support/hostile.ts';
import { tries, turnOf } from '#tests/support/tries.ts';

/**
 * Each writing call with an input of its own, in which one place after another holds what somebody hostile would send: it is
 * refused, or done, and never a fault of the server. All else is right, so that the value comes as far as it can.
 */
beforeAll(openActions);
afterAll(() => testApp.close());

type Path = readonly (string | number)[];

/** Every place of a value, the containers and a name that nobody knows among them. */
function placesIn(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  const names = Array.isArray(value) ? [...value.keys()] : [...Object.keys(value), 'constructor'];
  return [at, ...names.flatMap((name) => placesIn((value as Record<string, unknown>)[name], [...at, name]))];
}

function put(value: unknown, [name, ...rest]: Path, given: unknown): unknown {
  if (name === undefined) return given;
  const copy: unknown = Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) };
  Object.assign(copy as object, { [name]: put((value as Record<string, unknown>)[name], rest, given) });
  return copy;
}

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((it, name) => (it as Record<string, unknown> | null | undefined)?.[name], value);

/** By which an object is read further. */
const names = ['id', 'module', 'change', ...Object.keys(ChangeSchema.properties)];
/** More than a column holds, of each kind, and the most that it does. */
const LARGE = [
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  Number.MAX_SAFE_INTEGER,
  '2147483648',
  '9'.repeat(15),
  '9'.repeat(20),
];

/** The faults of an action, and how often it was asked. */
async function findFaults(name: string, action: TestAction, first: Submit) {
  const faults: string[] = [];
  let submit = first;
  let count = 0;
  for (const [i, path] of placesIn(first.input)
    .filter((it) => it.length > 0)
    .entries()) {
    const isObject = typeof valueAt(submit.input, path) === 'object';
    const some = isObject ? fc.sample(trees(names), tries(10)) : fc.sample(fc.constantFrom(...edges), tries(3));
    for (const value of [...turnOf(LARGE, i, 3), ...some]) {
      const answer = await ask({ ...submit, input: put(submit.input, path, value) as Submit['input'] });
      count += 1;
      if (answer.code === '000000') submit = await begun(action);
      if (answer.status >= 500) faults.push(`${name}: ${path.join('.')} = ${JSON.stringify(value)}: ${answer.msg}`);
    }
  }
  return { faults, count };
}

describe('a hostile value in an input that is right otherwise', () => {
  it('is no fault of any writing call, and leaves no draft that cannot be read or checked', async () => {
    // What one of them leaves may be in the way of another's input, so all are there before.
    const submits = new Map<string, Submit>();
    for (const [name, action] of Object.entries(actions)) submits.set(name, await begun(action));
    const all: string[] = [];
    let asked = 0;
    for (const [name, action] of Object.entries(actions)) {
      const { faults, count } = await findFaults(name, action, submits.get(name) as Submit);
      all.push(...faults);
      asked += count;
    }
    for (const { id } of await testApp.db.selectFrom('sys_draft').select('id').execute()) {
      for (const path of ['sysDraft/read', 'sysDraft/check']) {
        const { code, msg } = await ask({ as: 'admin', path, input: { id }, method: 'GET' });
        if (code !== '000000') all.push(`${path} ${id}: ${msg}`);
      }
    }
    expect(all).toEqual([]);
    expect(asked).toBeGreaterThan(3000);
    expect(await countParts()).toBeGreaterThan(20);
  });
});

async function countParts(): Promise<number> {
  const { count } = await testApp.db
    .selectFrom('definition_draft')
    .select((it) => it.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
