import { splitUrls } from '#domain/images.ts';
import type { Problem } from '#domain/refusal.ts';

/** One row of an aging or QC submit: a unit and the code that says how its test ended. */
export interface TestResult {
  sn: string;
  codeId: number | string | null;
  urls?: string | readonly string[] | null;
}

/** What a station's results are: the module of its lines, whose labels its refusals use, and the list in its submit. */
export interface ResultRules {
  module: string;
  list: string;
  /** The pictures that one unit may have, where the station takes any: in which field, and at most how many. */
  pictures?: { field: string; max: number };
}

/** Each row needs its SN and its code, and has no more pictures than its station takes; an empty list is refused. Rule: testing#rows. */
export function validateTestResults(rows: readonly TestResult[], { module, list, pictures }: ResultRules): Problem[] {
  const missing = (name: string, field: string): Problem => ({
    key: 'required',
    field,
    args: { fields: [{ module, field: name }] },
  });
  if (rows.length === 0) return [missing('sn', list)];
  return rows.flatMap(({ sn, codeId, urls }, i): Problem[] => [
    ...(sn.trim() === '' ? [missing('sn', `${list}.${i}.sn`)] : []),
    ...(codeId === null || codeId === '' ? [missing('icdId', `${list}.${i}.icdId`)] : []),
    ...(pictures && splitUrls(urls).length > pictures.max
      ? [{ key: 'images' as const, field: `${list}.${i}.${pictures.field}`, args: { min: 0, max: pictures.max } }]
      : []),
  ]);
}
