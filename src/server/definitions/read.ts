import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Definition, Field, MenuNode, Model, Option, OptionLists, RoleSeed } from '#domain/definition/grammar.ts';
import { MODULES_LIST } from '#domain/definition/options.ts';
import { layMenuOver, layOptionsOver, layOver, MENU } from '#domain/definition/overlay.ts';
import { validateChange } from '#domain/definition/validateChange.ts';
import { validateChangeShape, type DefinitionChange } from '#domain/definition/change.ts';
import {
  moduleOf,
  problemsInSteps,
  validateReferences,
  validateShape,
  sayProblem,
  type DefinitionProblem,
  type Registers,
} from '#domain/definition/problems.ts';
import { atOnce, type Steps } from '#domain/steps.ts';
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
  readonly problems: readonly DefinitionProblem[];

  constructor(problems: readonly DefinitionProblem[]) {
    super(`The definitions have ${problems.length} problem(s):\n  ${problems.map(sayProblem).join('\n  ')}`);
    this.name = 'BadDefinitions';
    this.problems = problems;
  }
}

export interface PublishedChange {
  /** A module, or `MENU`. */
  module: string;
  change: DefinitionChange;
  /** Of a draft: who the roles are whose rights it gives, the ids of their rows by code. */
  roles?: Readonly<Record<string, number>>;
}

/** The labels and types of the columns that every module has. */
export const standardFields = (): Record<string, Field> => json('standard-fields.json');

/** What this version ships, each definition checked for its shape. */
interface Shipped {
  definitions: Map<string, Definition>;
  options: OptionLists;
  menu: MenuNode[];
  roles: RoleSeed[];
  problems: DefinitionProblem[];
}

/**
 * Reads the repository's definitions, lays the published changes over them in their order, and checks the whole.
 * @throws BadDefinitions with every problem by name; nothing is used that is not wholly right.
 */
export function readModel(registers: Registers, changes: readonly PublishedChange[] = []): Model {
  const known = changes.length === 0 ? shippedModels.get(registers) : undefined;
  if (known) return { ...known, definitions: new Map(known.definitions) };
  const { model, problems } = tryModel(registers, changes);
  if (problems.length > 0) throw new BadDefinitions(problems);
  if (changes.length === 0) shippedModels.set(registers, { ...model, definitions: new Map(model.definitions) });
  return model;
}

/** Checking the whole takes some 10 ms, in which nobody is answered; what is shipped stays as it is. */
const shippedModels = new WeakMap<Registers, Model>();

/**
 * The same for a look at what is not published yet: with everything that is wrong instead of a refusal. What a change may
 * not do is left out of the model, and the whole is checked for its names only where each part may be laid over.
 */
export const tryModel = (registers: Registers, changes: readonly PublishedChange[]): Tried =>
  atOnce(modelInSteps(registers, changes));

interface Tried {
  model: Model;
  problems: DefinitionProblem[];
}

/** The same module by module: of a large draft it takes long. */
export function* modelInSteps(registers: Registers, changes: readonly PublishedChange[]): Steps<Tried> {
  const shipped = shippedBy.get(registers) ?? readShipped();
  const problems = [...shipped.problems];
  const definitions = new Map(shipped.definitions);
  let { options } = shipped;
  let tree: MenuNode[] | undefined;
  for (const { module, change } of changes) {
    yield;
    const current = definitions.get(module);
    const standing = { shipped: shipped.definitions.get(module), current };
    const wrong = misshapen(module, change) ?? validateChange(standing, module, change);
    problems.push(...wrong);
    if (wrong.length > 0) continue;
    // What an earlier change has brought and a later one does not know of stays as well.
    if (module === MENU) tree = layMenuOver(tree ?? shipped.menu, change.menu ?? [], () => true);
    else {
      const laid = layOver(current, change);
      const badShape = validateShape(laid, module);
      problems.push(...badShape);
      if (badShape.length > 0) continue;
      definitions.set(module, laid);
    }
    options = layOptionsOver(options, change);
  }
  // It follows the modules whatever an earlier version let somebody publish of it.
  options = { ...options, [MODULES_LIST]: ledgerModules(definitions.values()) };
  const isThere = (menuNo: string) => definitions.has(moduleOf(menuNo));
  const menu = tree ? layMenuOver(shipped.menu, tree, isThere) : shipped.menu;
  const model: Model = { definitions, options, menu, roles: shipped.roles };
  if (problems.length === 0) problems.push(...(yield* problemsInSteps(model, registers)));
  if (problems.length === 0 && changes.length > 0) problems.push(...validateReferences(definitions.values()));
  return { model, problems };
}

/**
 * The option lists that are published otherwise than they are shipped: a client has the others at hand. Pages of their own use
 * what is shipped; what a publish has brought is for whoever may use a module with it.
 */
export const changedOptions = (model: Model, mayUse: (definition: Definition) => boolean): OptionLists => {
  const { options: shipped } = readShipped();
  const usable = [...model.definitions.values()].filter(mayUse);
  const used = new Set(usable.flatMap(({ fields }) => Object.values(fields).flatMap((it) => it.options ?? [])));
  const changed = Object.entries(model.options).filter(
    ([list, it]) => list !== MODULES_LIST && it !== shipped[list] && (list in shipped || used.has(list)),
  );
  return Object.fromEntries(changed);
};

/** What comes from outside may be anything: a change is at least what its parts are said to be. */
function misshapen(module: string, change: unknown): DefinitionProblem[] | undefined {
  const wrong = validateChangeShape(change, module);
  return wrong.length > 0 ? wrong : undefined;
}

/** Other definitions than the repository's. */
const shippedBy = new WeakMap<Registers, Shipped>();

/** The same registers with other definitions than the repository's: those of a version before or after this one. */
export function withShipped(registers: Registers, alter: (shipped: Omit<Shipped, 'problems'>) => void): Registers {
  const shipped = structuredClone(shippedBy.get(registers) ?? readShipped());
  alter(shipped);
  const own = { ...registers };
  shippedBy.set(own, { ...shipped, problems: validateReferences(shipped.definitions.values()) });
  return own;
}

let shippedOnce: Shipped | undefined;
function readShipped(): Shipped {
  if (shippedOnce) return shippedOnce;
  const files = readFiles();
  shippedOnce = {
    definitions: new Map(files.definitions.map((it) => [it.module, it])),
    options: json('options.json'),
    menu: json<{ menu: MenuNode[] }>('menu.json').menu,
    roles: json<RoleSeed[]>('roles.json'),
    problems: [...files.problems, ...validateReferences(files.definitions)],
  };
  return shippedOnce;
}

/** What a row of the ledger may be about: every module, and what the platform itself writes down. */
const ledgerModules = (definitions: Iterable<Definition>): Option[] => [
  { value: 'session', label: { zh: '登录', en: 'Session' } },
  { value: 'file', label: { zh: '文件', en: 'File' } },
  { value: 'definitions', label: { zh: '列表定义', en: 'Definitions' } },
  { value: 'savedView', label: { zh: '列表视图', en: 'Saved view' } },
  ...[...definitions].map(({ module, label }) => ({ value: module, label })),
];

/** The file of a shipped module below `definitions/`. */
export const pathOfModule = (module: string): string | undefined =>
  listFiles(FOLDER)
    .map((it) => it.slice(FOLDER.length + 1))
    .find((it) => it.endsWith(`/${module}.json`));

/** The repository's definitions as they are, each checked for its shape alone. */
function readFiles(): { definitions: Definition[]; problems: DefinitionProblem[] } {
  const definitions: Definition[] = [];
  const problems: DefinitionProblem[] = [];
  for (const file of listFiles(FOLDER)) {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const where = file.slice(FOLDER.length + 1);
    const wrong = validateShape(value, where);
    problems.push(...wrong);
    if (wrong.length > 0) continue;
    const definition = value as Definition;
    const twice = definitions.some((it) => it.module === definition.module);
    if (twice) problems.push({ kind: 'DuplicateModule', where, what: `"${definition.module}"` });
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
