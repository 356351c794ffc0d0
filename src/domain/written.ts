import { parseSlots } from '#domain/slots.ts';
import { normaliseNo, normaliseSn } from '#domain/sn.ts';

/** Says in the shape of an input how a text in it is written. */
export const WRITTEN_AS = 'x-written-as';

const ways: Record<string, (text: string) => string> = {
  sn: normaliseSn,
  no: normaliseNo,
  slots: (text) => parseSlots(text).join(','),
};

interface Shape {
  [WRITTEN_AS]?: string;
  anyOf?: readonly Shape[];
  items?: Shape;
  properties?: Readonly<Record<string, Shape>>;
}

/**
 * An input as it is sent: SNs and slots as they are written everywhere, in whichever page they were entered.
 * Rule: units#sn, repairing#slots.
 */
export function toWritten(shape: Shape | undefined, value: unknown): unknown {
  if (!shape) return value;
  if (shape.anyOf) return shape.anyOf.reduce((now, it) => toWritten(it, now), value);
  const { items, properties = {} } = shape;
  if (typeof value === 'string') return ways[shape[WRITTEN_AS] ?? '']?.(value) ?? value;
  if (Array.isArray(value)) return value.map((it) => toWritten(items, it));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, toWritten(properties[name], it)]));
}
