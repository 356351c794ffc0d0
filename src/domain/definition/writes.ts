import type { Button, Definition, Model, When } from '#domain/definition/grammar.ts';
import { forbiddenIn } from '#domain/definition/forbidden.ts';
import type { DefinitionProblem } from '#domain/definition/problems.ts';

/** What each script by which the engine itself writes does to a row. */
const deeds = {
  create: 'create',
  upload: 'create',
  modify: 'modify',
  deleteById: 'delete',
  deleteAll: 'delete',
  uploadOne: 'fill',
  uploadDocument: 'fill',
  uploadSignForTime: 'fill',
} as const;
type WritingScript = keyof typeof deeds;
export const writingScripts = Object.keys(deeds) as WritingScript[];

/** The scripts that give rows of their list as a file, all of them or one: who has the one file can have the other. */
const filing: ReadonlySet<string> = new Set(['export', 'exportDirect', 'exportDirectOne', 'exportWip']);
export const FILE_DEED = 'export';

/** What a button does, by whichever script: two of the same deed open as much. */
export const deedOf = (script: string): string => {
  if (filing.has(script)) return FILE_DEED;
  return Object.hasOwn(deeds, script) ? deeds[script as WritingScript] : script;
};

/** Whether the engine does what a script says for the rows of any module; every other one has a call, or a page, of some modules. */
export const isOfEngine = (script: string): boolean =>
  Object.hasOwn(deeds, script) || filing.has(script) || script === 'detail' || script === 'bulk';

/** What is asked for: a script, and of an upload the field that it fills. */
type Asked = Pick<Button, 'script' | 'field'>;
type Offered = Pick<Button, 'script' | 'field' | 'when'>;

const EVERY_ROW: When = {};

/**
 * For which rows a module allows what the engine would write by a script, whatever its buttons say: those with these
 * values, or undefined for none. A script that is not the engine's own is allowed; its own call judges. Rule:
 * definitions#writes.
 */
export function allowedRows({ writes, rowsOf, viewOf }: Definition, { script, field }: Asked): When | undefined {
  const deed = Object.hasOwn(deeds, script) ? deeds[script as WritingScript] : undefined;
  if (!deed) return EVERY_ROW;
  if (!writes || rowsOf || viewOf) return undefined;
  if (writes === 'all') return EVERY_ROW;
  if (deed === 'fill') return field !== undefined && writes.fill?.includes(field) ? EVERY_ROW : undefined;
  return writes[deed] === true ? EVERY_ROW : writes[deed];
}

/** For which rows a button is offered: those that it names itself, as far as the module allows it for them. */
export function offeredRows(definition: Definition, { when, ...button }: Offered): When | undefined {
  const allowed = Object.entries(allowedRows(definition, button) ?? {});
  if (allowed.length === 0) return when;
  const both = allowed.map(([name, values]) => [name, when?.[name] ? common(when[name], values) : values]);
  return { ...when, ...(Object.fromEntries(both) as When) };
}

const common = (some: When[string], others: When[string]): string[] =>
  [some].flat().filter((it) => [others].flat().includes(it));

/** Whether a module lets its rows go whatever stands in them, with a row of which they are a part. */
export function letsRowsGo(definition: Definition): boolean {
  const rows = allowedRows(definition, { script: 'deleteById' });
  return rows !== undefined && Object.keys(rows).length === 0;
}

export const deletingScripts: readonly string[] = ['deleteById', 'deleteAll'];

/** The rights of which each lets somebody delete rows of a module; none where it offers it nowhere. */
export const deletingRights = ({ module, buttons = [] }: Definition): string[] =>
  buttons.filter((it) => deletingScripts.includes(it.script)).map((it) => `${module}:${it.btnNo}`);

/**
 * What the changed modules would write anew and must not: buttons with a script that the module does not allow, and rows of
 * another module that go with theirs although that one does not let them. Rule: definitions#writes.
 * @param before the model that is in force; what it has already is not asked again
 * @param after the same with the change laid over it
 */
export function validateWrites(before: Model, after: Model, changed: Iterable<string>): DefinitionProblem[] {
  return [...new Set(changed)].flatMap((where) => {
    const definition = after.definitions.get(where);
    if (!definition) return [];
    const no = forbiddenIn(where);
    const known = before.definitions.get(where);
    const isKnown = ({ btnNo, script, field }: Button) =>
      known?.buttons?.some((it) => it.btnNo === btnNo && it.script === script && it.field === field) === true;
    const buttons = (definition.buttons ?? [])
      .filter((it) => !isKnown(it) && !allowedRows(definition, it))
      .map(({ btnNo, script }) =>
        no('scriptKept', `its rows are not written by "${script}"`, `buttons.${btnNo}.script`, script),
      );
    const lines = (known ? [] : (definition.lines ?? [])).filter(({ module, owned }) => {
      const target = after.definitions.get(module);
      return owned && target && !letsRowsGo(target);
    });
    return [
      ...buttons,
      ...lines.map((it) => no('rowsStay', `rows of ${it.module} do not go with others`, `lines.${it.name}`, it.module)),
    ];
  });
}
