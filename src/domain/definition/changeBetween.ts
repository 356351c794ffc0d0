import { dequal } from 'dequal/lite';
import type { Altered, DefinitionChange } from '#domain/definition/change.ts';
import type { Button, Definition, Field } from '#domain/definition/grammar.ts';

/**
 * The one change that makes of a shipped module what is published of it, whatever came one after the other: laid over the
 * first it gives the second. A module that is shipped nowhere is said whole. Undefined where nothing differs.
 */
export function changeBetween(shipped: Definition | undefined, current: Definition): DefinitionChange | undefined {
  if (!shipped) return { definition: current };
  const change: DefinitionChange = {
    ...differing(shipped, current, ['label', 'one', 'search', 'form', 'detail']),
    ...listBetween(shipped.list, current.list),
    ...fieldsBetween(shipped.fields, current.fields),
    ...buttonsBetween(shipped.buttons ?? [], current.buttons ?? []),
  };
  const known = new Set((shipped.indexes ?? []).map((it) => it.join()));
  const indexes = (current.indexes ?? []).filter((it) => !known.has(it.join()));
  const lines = (current.lines ?? [])
    .filter(({ name }) => !shipped.lines?.some((it) => it.name === name))
    .map(({ name, module, by }) => ({ name, module, by }));
  const whole = { ...change, ...(indexes.length > 0 && { indexes }), ...(lines.length > 0 && { lines }) };
  return Object.keys(whole).length > 0 ? whole : undefined;
}

function differing<Name extends keyof Definition>(
  from: Definition,
  to: Definition,
  names: readonly Name[],
): Pick<Definition, Name> {
  const other = names.filter((it) => to[it] !== undefined && !dequal(from[it], to[it]));
  return Object.fromEntries(other.map((it) => [it, to[it]])) as Pick<Definition, Name>;
}

/** Of a list that differs everything is said: choosing its columns anew would show them all. */
const listBetween = (from: Definition['list'], to: Definition['list']): Pick<DefinitionChange, 'list'> =>
  to && !dequal(from, to) ? { list: to } : {};

/** What is new whole, and of what was there the parts that differ; null where a part is said no more. */
function fieldsBetween(
  from: Readonly<Record<string, Field>>,
  to: Readonly<Record<string, Field>>,
): Pick<DefinitionChange, 'fields'> {
  const altered = Object.entries(to).flatMap(([name, it]) => {
    const parts = partsBetween(from[name], it);
    return Object.keys(parts).length > 0 ? [[name, parts] as const] : [];
  });
  return altered.length > 0 ? { fields: Object.fromEntries(altered) } : {};
}

function partsBetween<Whole extends object>(from: Whole | undefined, to: Whole): Altered<Whole> {
  const said = Object.entries(to).filter(
    ([part, it]) => !dequal((from as Record<string, unknown> | undefined)?.[part], it),
  );
  const gone = Object.keys(from ?? {}).filter((part) => !(part in to));
  return Object.fromEntries([...said, ...gone.map((it) => [it, null])]) as Altered<Whole>;
}

function buttonsBetween(
  from: readonly Button[],
  to: readonly Button[],
): Pick<DefinitionChange, 'buttons' | 'buttonOrder'> {
  const altered = to.flatMap(({ btnNo, ...it }) => {
    const before = from.find((one) => one.btnNo === btnNo);
    const { btnNo: _, ...parts } = before ?? { btnNo };
    const between = partsBetween(before ? (parts as typeof it) : undefined, it);
    return Object.keys(between).length > 0 ? [[btnNo, between] as const] : [];
  });
  const order = to.map((it) => it.btnNo);
  const isInOrder = dequal(
    order,
    from.map((it) => it.btnNo),
  );
  return {
    ...(altered.length > 0 && { buttons: Object.fromEntries(altered) }),
    ...(!isInOrder && { buttonOrder: order }),
  };
}
