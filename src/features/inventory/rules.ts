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
