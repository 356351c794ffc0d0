import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, type FormatConfig } from 'oxfmt';
import { ROOT } from '#server/root.ts';

interface Config extends FormatConfig {
  overrides: [{ options: FormatConfig }];
  ignorePatterns: string[];
}

/**
 * The text of a file of `definitions/` as `npm run format` leaves it.
 * @param file its path
 */
export async function formatDefinition(file: string, value: unknown): Promise<string> {
  const text = readFileSync(join(ROOT, '.oxfmtrc.json'), 'utf8');
  const { overrides, ignorePatterns: _ignored, ...options } = JSON.parse(text) as Config;
  const { code, errors } = await format(file, JSON.stringify(value), { ...options, ...overrides[0].options });
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  return code;
}
