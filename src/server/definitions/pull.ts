import type { DefinitionChange } from '#domain/definition/change.ts';
import { changeBetween } from '#domain/definition/changeBetween.ts';
import type { Registers } from '#domain/definition/problems.ts';
import { MENU } from '#domain/definition/overlay.ts';
import { pathOfModule, readModel, type PublishedChange } from '#server/definitions/read.ts';

/** Where modules that were made in the browser are filed until a developer gives them a better place. */
const MADE_HERE = 'system';

/**
 * The files of `definitions/` that say what is published, by their paths below it, each as it is to be: those of the
 * modules that a change names, the options, the menu. Rule: definitions#between-installations.
 */
export function pulledFiles(registers: Registers, changes: readonly PublishedChange[]): Map<string, unknown> {
  const model = readModel(registers, changes);
  const files = new Map<string, unknown>();
  for (const { module } of changes) {
    const definition = model.definitions.get(module);
    if (!definition) continue;
    const { $schema = '../definition.schema.json', ...rest } = definition;
    files.set(pathOfModule(module) ?? `${MADE_HERE}/${module}.json`, { $schema, ...rest });
  }
  if (changes.some((it) => it.module === MENU)) files.set('menu.json', { menu: model.menu });
  if (changes.some((it) => it.change.options)) {
    const { ledgerModules: _, ...options } = model.options;
    files.set('options.json', options);
  }
  return files;
}

/**
 * All that is published over what is shipped, one change a module, to be laid over another installation's. Rights stay at
 * home: its roles are its own. Rule: definitions#between-installations.
 */
export function publishedChanges(registers: Registers, changes: readonly PublishedChange[]): PublishedChange[] {
  const shipped = readModel(registers);
  const model = readModel(registers, changes);
  const found: PublishedChange[] = [];
  const options: NonNullable<DefinitionChange['options']> = {};
  // As they lie over each other now, not as the last of them said it.
  for (const list of changes.flatMap(({ change }) => Object.keys(change.options ?? {})))
    options[list] = model.options[list] ?? [];
  for (const definition of model.definitions.values()) {
    const change = changeBetween(shipped.definitions.get(definition.module), definition);
    if (change) found.push({ module: definition.module, change });
  }
  const [first] = found;
  if (Object.keys(options).length > 0) {
    if (first) first.change = { ...first.change, options };
    else found.push({ module: [...model.definitions.keys()][0] as string, change: { options } });
  }
  if (JSON.stringify(model.menu) !== JSON.stringify(shipped.menu))
    found.push({ module: MENU, change: { menu: model.menu } });
  return found;
}
