import { imageLimits, splitUrls } from '#domain/images.ts';
import type { Problem } from '#domain/refusal.ts';

/** One row of an aging or QC submit: a unit and the code that says how its test ended. */
export interface TestResult {
  sn: string;
  codeId: number | string | null;
  urls?: string | readonly string[] | null;
}

/**
 * Each row needs its SN and its code, and aging shows at most 2 pictures; an empty list is refused. Rule: testing#rows.
 */
export function problemsOfResults(rows: readonly TestResult[], module: string, list: string): Problem[] {
  const missing = (name: string, field: string): Problem => ({
    key: 'required',
    field,
    args: { fields: [{ module, field: name }] },
  });
  if (rows.length === 0) return [missing('sn', list)];
  return rows.flatMap(({ sn, codeId, urls }, i): Problem[] => [
    ...(sn.trim() === '' ? [missing('sn', `${list}.${i}.sn`)] : []),
    ...(codeId === null || codeId === '' ? [missing('icdId', `${list}.${i}.icdId`)] : []),
    ...(splitUrls(urls).length > imageLimits.aging
      ? [
          {
            key: 'images' as const,
            field: `${list}.${i}.burninUrlList`,
            args: { min: 0, max: imageLimits.aging },
          },
        ]
      : []),
  ]);
}
