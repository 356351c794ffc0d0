import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Definition, Field, MenuNode, Model, Option, OptionLists, RoleSeed } from '#domain/definition/grammar.ts';
import { layOver, validateChange, type DefinitionChange } from '#domain/definition/overlay.ts';
import {
  validateModel,
  validateReferences,
  validateShape,
  sayProblem,
  type Registers,
} from '#domain/definition/problems.ts';
import { ROOT } from '#server/root.ts';

const FOLDER = join(ROOT, 'definitions');
const NOT_MODULES = new Set([
  'definition.schema.json',
  'standard-fields.json',
  'options.json',
  'menu.json',
  'roles.json',
  'bill-language.json',
]);

/** The definitions cannot be used as they are; the message lists every problem by its name. */
export class BadDefinitions extends Error {
  constructor(problems: string[]) {
    super(`The definitions have ${problems.length} problem(s):\n  ${problems.join('\n  ')}`);
    this.name = 'BadDefinitions';
  }
}

export interface PublishedChange {
  module: string;
  change: DefinitionChange;
}

/** The labels and types of the columns that every module has. */
export const standardFields = (): Record<string, Field> => json('standard-fields.json');

/**
 * Reads the repository's definitions, lays the published changes over them in their order, and checks the whole.
 * @throws BadDefinitions with every problem by name; nothing is used that is not wholly right.
 */
export function readModel(registers: Registers, changes: PublishedChange[] = []): Model {
  const files = readFiles();
  const problems = [...files.problems, ...validateReferences(files.definitions).map(sayProblem)];
  const definitions = new Map(files.definitions.map((it) => [it.module, it]));
  const options: OptionLists = json('options.json');
  for (const { module, change } of changes) {
    const base = definitions.get(module);
    const wrong = validateChange(base, module, change);
    problems.push(...wrong.map((it) => `${it.kind}: ${it.where} → ${it.what}`));
    if (wrong.length > 0) continue;
    const laid = layOver(base, change);
    const misshapen = validateShape(laid, `published change of ${module}`);
    problems.push(...misshapen.map(sayProblem));
    if (misshapen.length === 0) definitions.set(module, laid);
    Object.assign(options, change.options);
  }
  options['ledgerModules'] = ledgerModules(definitions.values());
  if (problems.length > 0) throw new BadDefinitions(problems);

  const model: Model = {
    definitions,
    options,
    menu: json<{ menu: MenuNode[] }>('menu.json').menu,
    roles: json<RoleSeed[]>('roles.json'),
  };
  const wrong = validateModel(model, registers);
  if (wrong.length > 0) throw new BadDefinitions(wrong.map(sayProblem));
  return model;
}

/** What a row of the ledger may be about: every module, and what the platform itself writes down. */
const ledgerModules = (definitions: Iterable<Definition>): Option[] => [
  { value: 'session', label: { zh: '登录', en: 'Session' } },
  { value: 'file', label: { zh: '文件', en: 'File' } },
  { value: 'definitions', label: { zh: '列表定义', en: 'Definitions' } },
  { value: 'savedView', label: { zh: '列表视图', en: 'Saved view' } },
  ...[...definitions].map(({ module, label }) => ({ value: module, label })),
];

/** The repository's definitions as they are, each checked for its shape alone. */
function readFiles(): { definitions: Definition[]; problems: string[] } {
  const definitions: Definition[] = [];
  const problems: string[] = [];
  for (const file of listFiles(FOLDER)) {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const where = file.slice(FOLDER.length + 1);
    const wrong = validateShape(value, where);
    problems.push(...wrong.map(sayProblem));
    if (wrong.length > 0) continue;
    const definition = value as Definition;
    const twice = definitions.some((it) => it.module === definition.module);
    if (twice) problems.push(`DuplicateModule: ${where} → "${definition.module}"`);
    else definitions.push(definition);
  }
  return { definitions, problems };
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => a.name.localeCompare(b.name))
    .flatMap((it) => {
      const path = join(folder, it.name);
      if (it.isDirectory()) return listFiles(path);
      return it.name.endsWith('.json') && !NOT_MODULES.has(it.name) ? [path] : [];
    });
}

function json<T>(name: string): T {
  return JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as T;
}
