import type { Button, Definition, Field } from '#domain/definition/grammar.ts';
import type { Problem } from '#domain/refusal.ts';
import type { Words } from '#domain/words.ts';
import type { Context } from '#server/context.ts';

/** A column that a workbook may have. */
export interface ImportColumn {
  name: string;
  label: Words;
  field: Field;
  /** Of several columns with the same mark at least one must be there. */
  oneOf?: string;
  required: boolean;
}

/** One row of a workbook on its way into the workshop. */
export interface ImportRow {
  /** As the spreadsheet counts. */
  number: number;
  /** Values of the wire by column, empty cells left out. */
  values: Record<string, unknown>;
  problems: Problem[];
  /** What is no fault, and is to be known before the row is imported. */
  notes: Problem[];
}

/** What was asked for: the module, the button, and the fields that came beside the file. */
export interface ImportCall {
  definition: Definition;
  button: Pick<Button, 'btnNo' | 'script' | 'field' | 'by'>;
  given: Readonly<Record<string, string>>;
  /** When this workbook was looked at, as epoch ms; left out where nobody has. */
  lookedAt?: number | undefined;
}

/** What an import writes over as a whole: in words, and a mark that is another one as soon as that or what comes of it is. */
export interface Replaced {
  told: Problem;
  mark: string;
}

/** One import while it is worked: looks at the rows batch by batch, then writes all of them. */
export interface Import {
  /** Judges a batch by everything that a form would judge by, and adds what is wrong to the rows. */
  check(rows: readonly ImportRow[], ctx: Context): Promise<void>;
  /**
   * What was there already and goes with this workbook, once all rows are known; null where nothing does. Whoever confirms a
   * workbook was told so. Left out by an import that takes nothing away.
   */
  replaces?(ctx: Context): Promise<Replaced | null>;
  /**
   * Stands for the rows that the workbook changes, as they were found: another one by the time of the run, and nobody has seen what it
   * changes. By their versions, as a clock does not tell a write that was begun before the look and kept after it.
   */
  seen?(): string;
  /** Writes what was checked; called only when nothing was wrong. What may have changed since is for the database to refuse. */
  write(ctx: Context): Promise<void>;
}

/** What a kind of workbook holds and what becomes of it. */
export interface Importer {
  columns(call: ImportCall, ctx: Context): readonly ImportColumn[];
  /** What all of its amounts are in, where no column says it of each row. */
  currency?(call: ImportCall, ctx: Context): Promise<string | null>;
  /** Its rows become rows of the site of the session: a column that says another site is refused row by row, though no row is written by it. */
  forOwnSite?: true;
  /** Fields that must come beside the file. */
  asks?: Readonly<Record<string, Field>>;
  /** What most probably is meant in these fields: a dialog begins with it, and whoever knows better changes it. */
  suggests?(ctx: Context): Promise<Readonly<Record<string, string | null>>>;
  open(call: ImportCall, ctx: Context): Import;
}

/** Keeps the first row that had a value, and tells each later one where it stands already. */
export function firstRows(): (key: string, row: ImportRow, what: Words, value: string) => void {
  const seen = new Map<string, number>();
  return (key, row, what, value) => {
    const first = seen.get(key);
    if (first === undefined) seen.set(key, row.number);
    else if (first !== row.number) row.problems.push({ key: 'duplicateRow', args: { what, value, row: first } });
  };
}
