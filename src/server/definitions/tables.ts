import type { Definition, Model } from '#domain/definition/grammar.ts';
import type { DefinitionProblem } from '#domain/definition/problems.ts';
import type { Plan } from '#server/definitions/definitions.ts';
import { BadDefinitions } from '#server/definitions/read.ts';
import { codeOf } from '#server/transaction.ts';

/** The database cannot be used, and why. */
export class BadDatabase extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BadDatabase';
  }
}

/** The definitions that have a table of their own. */
export const ownersIn = (model: Model): Definition[] => [...model.definitions.values()].filter((it) => !it.rowsOf);

/** What the database would lose, or can't hold, as problems of the definitions. */
export const refusedIn = ({ refused }: Plan): DefinitionProblem[] =>
  refused.map(({ module = '', inTheWay: _, ...it }) => ({ kind: 'LosesData', where: module, ...it }));

const RULES: Record<string, string> = { '23505': 'rowsShareUnseen', '54000': 'valueTooLong' };
/** What a statement itself is refused for: its rows, its names, its limits. All else is the connection's or the machine's. */
const REFUSED = /^(0A|22|23|2B|42|54)/;
export const isRefused = (error: unknown): boolean => REFUSED.test(codeOf(error) ?? '');

/** Why the database refuses a statement of a plan; nothing where it isn't the statement's fault. Its own words are for the log. */
export function notTaken(error: unknown, statement: string, model: Model): DefinitionProblem | undefined {
  if (!isRefused(error)) return undefined;
  const [, table] = /(?:ON|TABLE) "([^"]+)"/.exec(statement) ?? [];
  const [, column] = / COLUMN "([^"]+)"/.exec(statement) ?? [];
  const listed = [...(/\((".*?)\)/.exec(statement)?.[1] ?? '').matchAll(/"([^"]+)"/g)].map((it) => it[1] as string);
  const columns = column === undefined ? listed : [column];
  const code = codeOf(error) ?? '';
  // What the database says of a value holds that value, which is nobody's who can't see its row.
  const rule = code.startsWith('22') ? 'valuesUnfit' : (RULES[code] ?? 'notTaken');
  const fields = columns.filter((it) => it !== 'id');
  return {
    kind: 'NotApplied',
    rule,
    where: ownersIn(model).find((it) => it.table === table)?.module ?? '',
    what: (error as Error).message,
    path: fields.length > 0 ? `fields.${fields[0]}` : '',
    name: fields.join(', '),
  };
}

/** Runs a statement of a plan; what the database refuses by it is told as a problem of the definitions. */
export async function telling(statement: string, model: Model, run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    const problem = notTaken(error, statement, model);
    throw problem ? new BadDefinitions([problem]) : error;
  }
}
