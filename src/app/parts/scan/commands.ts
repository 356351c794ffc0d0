import { normaliseNo } from '#domain/sn.ts';

/** What can be said to a station by a barcode instead of the mouse. */
export type Command =
  | { do: 'submit' }
  | { do: 'undo' }
  | { do: 'next' }
  /** Counted from 1, as the tabs stand. */
  | { do: 'tab'; number: number }
  | { do: 'quantity'; count: number }
  | { do: 'code'; code: string }
  /** One of a list of this station, such as how it was repaired. */
  | { do: 'choose'; list: ChoiceList; value: string };

/** Lists whose entries have barcodes: types of board, ways to repair. */
export type ChoiceList = 'PART' | 'MODE';

/** No SN, number or issue code begins with it, and every keyboard layout that scanners are set to has it on one key. */
const PREFIX = '%';

/** What the barcode of a command says. */
export function textOf(command: Command): string {
  switch (command.do) {
    case 'tab':
      return `${PREFIX}TAB-${command.number}`;
    case 'quantity':
      return `${PREFIX}QTY-${command.count}`;
    case 'code':
      return `${PREFIX}CODE-${command.code}`;
    case 'choose':
      return `${PREFIX}${command.list}-${command.value}`;
    default:
      return PREFIX + command.do.toUpperCase();
  }
}

/** The command of a scanned text; `unknown` where it is meant as one, nothing where it is none. */
export function commandOf(text: string): Command | 'unknown' | undefined {
  const plain = normaliseNo(text);
  if (!plain.startsWith(PREFIX)) return undefined;
  const [word = '', ...rest] = plain.slice(PREFIX.length).split('-');
  const value = rest.join('-');
  if (word === 'CODE' && value !== '') return { do: 'code', code: value };
  if (word === 'TAB' && /^[1-9]$/.test(value)) return { do: 'tab', number: Number(value) };
  if (word === 'QTY' && /^\d{1,4}$/.test(value)) return { do: 'quantity', count: Number(value) };
  if ((word === 'PART' || word === 'MODE') && /^\d{1,4}$/.test(value)) return { do: 'choose', list: word, value };
  if (value !== '') return 'unknown';
  const said = word.toLowerCase();
  return said === 'submit' || said === 'undo' || said === 'next' ? { do: said } : 'unknown';
}
