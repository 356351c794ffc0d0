import type { DataOf } from '#domain/call.ts';
import type { DefinitionChange } from '#domain/definition/change.ts';
import type { Definition, Model } from '#domain/definition/grammar.ts';
import { layMenuOver, layOptionsOver, layOver, MENU } from '#domain/definition/overlay.ts';
import type { Words } from '#domain/words.ts';
import type { Context } from '#server/context.ts';
import { standardFields } from '#server/definitions/read.ts';
import type { readPublish } from './contract.ts';
import { readRoles } from './queries.ts';

type Told = DataOf<typeof readPublish>;
type Before = Told['parts'][number]['before'];
type Json = Record<string, unknown>;

interface Part {
  module: string;
  change: unknown;
}

/** The roles' rights by module. */
type Rights = ReadonlyMap<string, Before['rights']>;

/** Each part with what it is laid over: the model, and the parts before it. Rule: definitions#drafts. */
export function withBefore<Given extends Part>(
  parts: readonly Given[],
  model: Pick<Model, 'definitions' | 'options' | 'menu'>,
  rights: Rights = new Map(),
): (Given & { change: Json; before: Before })[] {
  const definitions = new Map(model.definitions);
  let { options, menu } = model;
  return parts.map((part) => {
    const { module } = part;
    const change = part.change as DefinitionChange;
    const definition = definitions.get(module) ?? null;
    const lists = new Set([...listsOf(definition), ...listsOf(change), ...Object.keys(change.options ?? {})]);
    const before: Before = {
      definition,
      options: Object.fromEntries(Object.entries(options).filter(([list]) => lists.has(list))),
      menu: module === MENU ? menu : [],
      rights: rights.get(module) ?? {},
    };
    if (module === MENU) menu = layMenuOver(menu, change.menu ?? [], () => true);
    else if (definition || change.definition) definitions.set(module, layOver(definition ?? undefined, change));
    options = layOptionsOver(options, change);
    return { ...part, change: part.change as Json, before };
  });
}

/** What people call the modules, roles and fields that the parts name. */
export async function readNames(parts: readonly Part[], ctx: Context): Promise<Told['names']> {
  const { definitions } = ctx.model;
  const changes = parts.map((it) => it.change as DefinitionChange);
  const made = changes.flatMap(({ definition }) => definition ?? []);
  const all = new Map([...made, ...definitions.values()].map((it) => [it.module, it]));
  const named = new Set(changes.flatMap(refsOf));
  const roles = await readRoles('', ctx);
  return {
    modules: Object.fromEntries([...all.values()].map((it) => [it.module, it.label])),
    fields: Object.fromEntries(
      [...all.values()].filter((it) => named.has(it.module)).map((it) => [it.module, labels(it)]),
    ),
    roles: Object.fromEntries(roles.map((it) => [it.roleId, it.label])),
    standard: labels({ fields: standardFields() }),
  };
}

/** What the roles whose rights a draft changes may do until then. */
export async function readRights(parts: readonly Part[], ctx: Context): Promise<Rights> {
  const rights = new Map<string, Before['rights']>();
  for (const { module, change } of parts) {
    const named = Object.keys((change as DefinitionChange).rights ?? {});
    if (named.length === 0) continue;
    const roles = (await readRoles(module, ctx)).filter((it) => named.includes(it.roleId));
    rights.set(module, Object.fromEntries(roles.map((it) => [it.roleId, it.rights])));
  }
  return rights;
}

type Fields = Pick<DefinitionChange, 'fields' | 'definition'>;
const fieldsOf = (it: Fields) => Object.values({ ...it.fields, ...it.definition?.fields });
const listsOf = (it: Fields | Definition | null): string[] =>
  it ? fieldsOf(it).flatMap((field) => field.options ?? []) : [];
const refsOf = (it: DefinitionChange): string[] => fieldsOf(it).flatMap((field) => field.ref?.module ?? []);
const labels = ({ fields }: Pick<Definition, 'fields'>): Record<string, Words> =>
  Object.fromEntries(Object.entries(fields).map(([name, it]) => [name, it.label]));
