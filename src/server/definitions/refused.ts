import { sayProblem, type DefinitionProblem } from '#domain/definition/problems.ts';
import { Refusal, type Problem } from '#domain/refusal.ts';
import { say } from '#domain/say.ts';
import type { Language, Words } from '#domain/words.ts';
import en from '#i18n/en/studio.json' with { type: 'json' };
import zh from '#i18n/zh/studio.json' with { type: 'json' };

/** Definitions that can't be as they are: the first problem in words, and all of them as the check tells them. */
export function badDefinitions(problems: readonly DefinitionProblem[], field?: string): Refusal {
  const [first] = problems;
  const args = { count: problems.length, first: first ? inWords(first) : '' };
  return new Refusal(
    { key: 'badDefinitions', ...(field !== undefined && { field }), args },
    { found: problems.map(asTold) },
  );
}

/** Where a problem tells figures or values of rows: the rule whose sentence tells neither. */
const withoutRows: ReadonlyMap<string, string> = new Map([
  ['danglingRows', 'danglingRowsUnseen'],
  ['danglingLeft', 'danglingLeftUnseen'],
  ['rowsEmpty', 'rowsEmptyUnseen'],
  ['rowsShare', 'rowsShareUnseen'],
  ['valuesTooLong', 'valueTooLong'],
  ['tableHolds', 'tableHoldsSome'],
  ['tableHoldsMany', 'tableHoldsSome'],
  ['columnHolds', 'columnHoldsSome'],
  ['columnHoldsMany', 'columnHoldsSome'],
]);
/** Those that name rows or their values. */
const namesRows: ReadonlySet<string> = new Set(['danglingRows', 'danglingLeft', 'rowsEmpty', 'rowsShare']);

/** Rules whose sentence leaves to the log what the database said. */
const unexplained: ReadonlySet<string> = new Set(['rulesNotSet', 'notTaken']);

/** What the log is told of problems whose sentences do not say it. */
export const forLog = (problems: readonly DefinitionProblem[]): string[] =>
  problems.filter((it) => unexplained.has(it.rule ?? '')).map(sayProblem);

/** A problem as it is told to whoever may not see all rows of its module: without how many, and which of them. Rule: definitions#figures. */
export function withoutFigures({ count: _, ...problem }: DefinitionProblem): DefinitionProblem {
  const { rule = '', where, path = '' } = problem;
  const told = withoutRows.get(rule);
  if (told === undefined) return problem;
  const [, field = where] = path.split('.');
  return { ...problem, rule: told, ...(namesRows.has(rule) && { name: field }) };
}

/** A problem with what its words need; the screen says them. */
export const asTold = ({ kind, rule, where, path = '', name = '', count, keptAs, suggestion }: DefinitionProblem) => ({
  ...{ kind, module: where, path, name },
  ...(rule !== undefined && { rule }),
  ...(count !== undefined && { count }),
  ...(keptAs !== undefined && { keptAs }),
  ...(suggestion !== undefined && { suggestion }),
});

type Told = Omit<DefinitionProblem, 'where' | 'what'> & { module: string };
/** What a job keeps of a publish. */
interface Kept {
  result: unknown;
  problem: unknown;
}

/**
 * What a job of an earlier version kept of a publish, without the figures that stand in it; the sentences of still earlier
 * ones are left out. Rule: definitions#figures.
 */
export function withoutKeptFigures({ result, problem }: Kept): { result: Record<string, unknown>; problem: Problem[] } {
  const told = (result ?? {}) as Record<string, unknown>;
  const problems = (problem ?? []) as Problem[];
  const isRefused = problems[0]?.key === 'badDefinitions';
  const found = isRefused ? keptProblems(told['found']) : [];
  const first = found[0] ? inWords(found[0]) : '';
  return {
    result: {
      ...told,
      ...(isRefused && 'found' in told && { found: found.map(asTold) }),
      ...('leftOut' in told && { leftOut: keptProblems(told['leftOut']).map(asTold) }),
    },
    problem: isRefused ? problems.map((it) => ({ ...it, args: { ...it.args, first } })) : problems,
  };
}

const keptProblems = (kept: unknown): DefinitionProblem[] =>
  (Array.isArray(kept) ? (kept as (Told | string)[]) : []).flatMap((it) =>
    typeof it === 'string' ? [] : withoutFigures({ ...it, where: it.module, what: '' }),
  );

/** A problem as the check says it, in both languages. */
function inWords({ kind, rule, name = '', count = 1, keptAs = '' }: DefinitionProblem): Words {
  const saidIn = (all: Record<string, string>, lang: Language) => {
    const forms = (all[rule ?? kind] ?? kind).split(' |||| ');
    const form = forms[count === 1 ? 0 : forms.length - 1] as string;
    return say(form, { name, smart_count: count, keptAs }, lang, String);
  };
  return { zh: saidIn(zh.problems, 'zh'), en: saidIn(en.problems, 'en') };
}
