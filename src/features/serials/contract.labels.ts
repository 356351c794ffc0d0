import { toPrinter } from '#domain/labelPrint.ts';

/** The first labels of new SNs. Rule: labels#printers. */
export const sendNewLabels = toPrinter('/api/ubsItem/printLabels.json', 'ubsItem:printSerial');
/** Labels that say that they are printed again. Rule: labels#printers. */
export const sendReprints = toPrinter('/api/ubsItemObject/reprintLabels.json', 'ubsItemObject:reprintSerial');
/** The label of an SN that was changed. Rule: labels#printers. */
export const sendChangedLabel = toPrinter('/api/ubsItemObject/printChangedLabel.json', 'ubsItemObject:changeSerial');
