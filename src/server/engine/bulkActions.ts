import { Value } from 'typebox/value';
import type { Verdict } from '#domain/bulk.ts';
import type { Button, Definition } from '#domain/definition/grammar.ts';
import { pressedButton } from '#domain/definition/pressed.ts';
import { orRefusal, Refusal, refuseIfAny } from '#domain/refusal.ts';
import { mayDo } from '#domain/rights.ts';
import type { Context } from '#server/context.ts';
import type { Row } from '#server/engine/rows.ts';
import { deleteMany, isJudgedInTurn, modifyMany, type Outcomes } from '#server/engine/writing.ts';
import { inputSchema } from '#server/input.ts';
import { readInput, separatorsIn } from '#server/readInput.ts';
import type { Route } from '#server/route.ts';

/** A row of a bulk run with what its action needs to know of it. */
export interface Target {
  id: number;
  name: string;
  /** As it stands; null where there is none. */
  version: number | null;
  amount: Verdict['amount'];
  /** What its details show of it. */
  row?: Row;
  /** What was told before of what its action does. */
  foreseen?: string | undefined;
}

/** A row with the version of it that was shown before. */
export interface SeenTarget extends Target {
  seen: number;
}

export interface BulkAction {
  one: (target: SeenTarget, ctx: Context) => Promise<unknown>;
  /** The same to several rows at once, by id, where none has to wait for what comes of another. */
  many?: (targets: readonly SeenTarget[], ctx: Context) => Promise<ReadonlyMap<number, unknown>>;
}

/**
 * What a bulk run does to each row: deletes it, sets chosen fields of its form, or makes the call of a row action whose
 * button says `bulk`. Refused when the list offers it for no many rows, or the user has not the right of the single action.
 */
export function createBulkAction(
  definition: Definition,
  action: unknown,
  values: unknown,
  ctx: Context,
  routes: readonly Route[],
): BulkAction {
  if (typeof action !== 'string' || action === '') {
    throw new Refusal({ key: 'required', field: 'action', args: { fields: 'action' } });
  }
  const offered = { ...definition, buttons: definition.buttons?.filter((it) => isInBulk(definition, it)) };
  const button = pressedButton(offered, [action], ctx.currentUser.rights);
  if (!button) throw new Refusal({ key: 'notInBulk', field: 'action', args: { action: action.slice(0, 40) } });
  if (!mayDo(ctx.currentUser.rights, `${definition.module}:${button.btnNo}`)) throw new Refusal({ key: 'noRight' });
  const sent = parseValues(values);
  if (action === 'deleteAll') {
    if (Object.keys(sent).length > 0) throw unknownField(Object.keys(sent)[0] as string);
    return actionOf(definition, ctx, (seen, inside) => deleteMany(definition, seen, inside));
  }
  if (action === 'modify') {
    if (Object.keys(sent).length === 0) {
      throw new Refusal({ key: 'required', field: 'values', args: { fields: 'values' } });
    }
    const unknown = Object.keys(sent).find((it) => !(definition.form ?? []).flat().includes(it));
    if (unknown !== undefined) throw unknownField(unknown);
    return actionOf(definition, ctx, async (seen, inside) => {
      const outcomes = await modifyMany(definition, seen, sent, inside);
      return new Map(
        [...outcomes].map(([id, it]) => [
          id,
          it instanceof Refusal ? it : { ...it, unchanged: it.version === seen.get(id) },
        ]),
      );
    });
  }
  return createCallAction(definition, action, sent, ctx, routes);
}

/** What is done to many rows is done to one, where they are judged in turn or something keeps them from going together. */
function actionOf(
  definition: Definition,
  ctx: Context,
  change: (seen: ReadonlyMap<number, number>, ctx: Context) => Promise<Outcomes<object>>,
): BulkAction {
  return {
    one: async ({ id, seen }, inside) => {
      const outcome = (await change(new Map([[id, seen]]), inside)).get(id);
      if (outcome instanceof Refusal) throw outcome;
      return outcome;
    },
    ...(!isJudgedInTurn(definition, ctx) && {
      many: (targets, inside) => change(new Map(targets.map((it) => [it.id, it.seen])), inside),
    }),
  };
}

/** Which buttons take many rows: deleting and changing where the list deletes many, every other one that says so. */
function isInBulk(definition: Definition, { script, bulk }: Pick<Button, 'script' | 'bulk'>): boolean {
  const deletesMany = definition.buttons?.some((it) => it.script === 'deleteAll') ?? false;
  return bulk === true || ((script === 'deleteAll' || script === 'modify') && deletesMany);
}

function parseValues(values: unknown): Row {
  if (values === undefined || values === null) return {};
  if (typeof values === 'object' && !Array.isArray(values)) return values as Row;
  throw new Refusal({ key: 'format', field: 'values', args: { field: 'values' } });
}

/** The call of a row action, with the row's id and the version that was seen. */
function createCallAction(
  definition: Definition,
  script: string,
  sent: Row,
  { currentUser }: Context,
  routes: readonly Route[],
): BulkAction {
  const route = routes.find((it) => it.call.path === `/api/${definition.module}/${script}.json`);
  if (!route) throw new Refusal({ key: 'notInBulk', field: 'action', args: { action: script } });
  const { right } = route.call;
  if (right !== 'signedIn' && !mayDo(currentUser.rights, right)) throw new Refusal({ key: 'noRight' });
  const schema = inputSchema(route.call.input, false);
  const known = Object.keys(schema['properties'] ?? {});
  const unknown = Object.keys(sent).find((it) => !known.includes(it) || ['id', 'version', 'foreseen'].includes(it));
  if (unknown) throw unknownField(unknown);
  const inputOf = ({ id, foreseen, seen }: SeenTarget): unknown => {
    const input = readInput(
      schema,
      { ...sent, id: String(id), version: seen, ...(known.includes('foreseen') && { foreseen }) },
      route.call.path,
      () => undefined,
    );
    const [wrong] = [...Value.Errors(schema, input)];
    if (wrong) {
      const field = wrong.instancePath.slice(1).replaceAll('/', '.');
      throw new Refusal({ key: 'format', field, args: { field: field || 'values' } });
    }
    refuseIfAny(separatorsIn(schema, input, definition.module));
    return input;
  };
  const one: BulkAction['one'] = async (target, inside) => route.handle(inputOf(target), inside);
  const { handleMany } = route;
  if (!handleMany) return { one };
  const many: BulkAction['many'] = async (targets, inside) => {
    const outcomes = new Map<number, unknown>();
    for (const it of targets) outcomes.set(it.id, await orRefusal(() => inputOf(it)));
    const sound = [...outcomes].filter(([, it]) => !(it instanceof Refusal));
    if (sound.length === 0) return outcomes;
    const answers = await handleMany(
      sound.map(([, input]) => input),
      inside,
    );
    for (const [i, [id]] of sound.entries()) outcomes.set(id, answers[i]);
    return outcomes;
  };
  return { one, many };
}

const unknownField = (field: string) => new Refusal({ key: 'unknownField', field, args: { field } });
