import { ComponentType } from '#domain/assembly.ts';

interface Bound {
  bindTime: number | null;
  unbindTime: number | null;
}

/**
 * The bindings that held at a moment, or hold now. One without a beginning was there from the start; at the very moment
 * of an exchange the new part is in.
 */
export const boundAt = <Binding extends Bound>(bindings: readonly Binding[], moment: number | null): Binding[] =>
  bindings.filter(({ bindTime, unbindTime }) =>
    moment === null
      ? unbindTime === null
      : (bindTime === null || bindTime <= moment) && (unbindTime === null || unbindTime > moment),
  );

interface InDevice {
  componentType: string;
  componentSn: string;
  bindTime: number | null;
}

/**
 * The parts of a device in their places: power, controls, then the boards as they were bound; those of a kind of which
 * there are several have a number.
 */
export function inSlots<Binding extends InDevice>(bindings: readonly Binding[]) {
  const order: readonly string[] = [ComponentType.Power, ComponentType.Controls, ComponentType.Board];
  const placeOf = ({ componentType }: Binding) =>
    order.includes(componentType) ? order.indexOf(componentType) : order.length;
  const sorted = [...bindings].sort(
    (a, b) =>
      placeOf(a) - placeOf(b) || (a.bindTime ?? 0) - (b.bindTime ?? 0) || a.componentSn.localeCompare(b.componentSn),
  );
  const ofKind = (kind: string) => sorted.filter((it) => it.componentType === kind);
  return sorted.map((binding) => {
    const alike = ofKind(binding.componentType);
    return { binding, number: alike.length > 1 ? alike.indexOf(binding) + 1 : null };
  });
}

interface Happened {
  mtbId: string | null;
}

/** Events by stay, each with those that follow one another on one bill; the order stays. */
export function staysIn<Event extends Happened>(events: readonly Event[]): { mtbId: string | null; events: Event[] }[] {
  const stays: { mtbId: string | null; events: Event[] }[] = [];
  for (const event of events) {
    const last = stays.at(-1);
    if (last && last.mtbId === event.mtbId) last.events.push(event);
    else stays.push({ mtbId: event.mtbId, events: [event] });
  }
  return stays;
}
