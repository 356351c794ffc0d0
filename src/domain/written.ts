import { parseSlots } from '#domain/slots.ts';
import { cleanText, withoutUnseen } from '#domain/signs.ts';
import { normaliseNo, normaliseSn } from '#domain/sn.ts';

/** Says in the shape of an input how a text in it is written. */
export const WRITTEN_AS = 'x-written-as';
/** Of a password, and of what tells of an error: no sign of it is anybody else's to judge. */
export const AS_IT_IS = 'asItIs';

/** What is done to any text of an input, before it is looked at: the separators of an SN's label are read with it. */
export const cleanOf = ({ [WRITTEN_AS]: way }: { [WRITTEN_AS]?: string }): ((text: string) => string) =>
  way === AS_IT_IS ? String : way === 'sn' ? withoutUnseen : cleanText;

const ways: Record<string, (text: string) => string> = {
  sn: normaliseSn,
  no: normaliseNo,
  slots: (text) => parseSlots(text).join(','),
};

interface Shape {
  type?: string;
  [WRITTEN_AS]?: string;
  anyOf?: readonly Shape[];
  items?: Shape;
  properties?: Readonly<Record<string, Shape>>;
}

/**
 * An input as it is sent: texts without what nobody sees, SNs and slots as they are written everywhere, in whichever page they
 * were entered. Rule: wire#texts, units#sn, repairing#slots.
 */
export function toWritten(shape: Shape | undefined, value: unknown): unknown {
  if (!shape) return value;
  if (shape.anyOf) return shape.anyOf.reduce((now, it) => toWritten(it, now), value);
  const { items, properties = {} } = shape;
  if (typeof value === 'string') {
    const clean = shape.type === 'string' ? cleanOf(shape)(value) : value;
    return ways[shape[WRITTEN_AS] ?? '']?.(clean) ?? clean;
  }
  if (Array.isArray(value)) return value.map((it) => toWritten(items, it));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, toWritten(properties[name], it)]));
}
