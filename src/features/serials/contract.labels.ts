import { Type } from 'typebox';
import { submit } from '#domain/call.ts';
import { Nullable, OptionalCode, Sn } from '#domain/wire.ts';
import { MOST_LABELS } from './rules.ts';

/**
 * Labels sent to a printer by its name, or entered as left to the browser's dialog where there is no name; each kind
 * needs the right of its own button. Rule: labels#printers.
 */
const toPrinter = (path: `/${string}`, right: `${string}:${string}`) =>
  submit({
    path,
    right,
    input: Type.Object({
      printer: OptionalCode,
      snList: Type.Optional(Type.Array(Sn, { maxItems: MOST_LABELS })),
      /** A test label of this kind in place of any SN's. */
      test: OptionalCode,
    }),
    data: Type.Object({
      /** The print in the journal. */
      printNo: Type.String(),
      printer: Nullable(Type.String()),
      count: Type.Integer(),
    }),
  });

/** The first labels of new SNs. Rule: labels#printers. */
export const sendNewLabels = toPrinter('/api/ubsItem/printLabels.json', 'ubsItem:printSerial');
/** Labels that say that they are printed again. Rule: labels#printers. */
export const sendReprints = toPrinter('/api/ubsItemObject/reprintLabels.json', 'ubsItemObject:reprintSerial');
/** The label of an SN that was changed. Rule: labels#printers. */
export const sendChangedLabel = toPrinter('/api/ubsItemObject/printChangedLabel.json', 'ubsItemObject:changeSerial');
