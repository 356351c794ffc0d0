import type { DefinitionProblem } from '#domain/definition/problems.ts';

/** Says what a change of a module may not do: the rule that it breaks, in words for a log, where, and the name there. */
export const forbiddenIn =
  (where: string) =>
  (rule: string, what: string, path: string, name = ''): DefinitionProblem => ({
    ...{ kind: 'ForbiddenChange', rule, where, what, path, name },
  });
