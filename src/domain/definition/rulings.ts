import { dequal } from 'dequal/lite';
import type { DefinitionChange } from '#domain/definition/change.ts';
import { forbiddenIn } from '#domain/definition/forbidden.ts';
import type { Definition, MenuNode, Model } from '#domain/definition/grammar.ts';
import { MODULES_LIST } from '#domain/definition/options.ts';
import { MENU } from '#domain/definition/overlay.ts';
import { moduleOf, type DefinitionProblem } from '#domain/definition/problems.ts';
import { mayDo } from '#domain/rights.ts';
import { inBoth } from '#domain/words.ts';

/** Their rows say who may do what: a rule over them is for who may change them. */
const guardModules: ReadonlySet<string> = new Set(['adminUser', 'adminRole']);

/**
 * What is decided about the contents of modules by who may not see them, or, of accounts and roles, not change them: fields,
 * rules, labels, buttons, how a list looks, and the values of the option lists that it uses. A new module has none yet, and
 * its author needs the right to make one, as he does to shape the menu; who may give rights is asked elsewhere. What is in
 * force already is not asked again. Rule: definitions#reach.
 * @param before the model that is in force
 * @param after the same with the changes laid over it
 * @param author the rights of who made the change
 */
export function validateRulings(
  before: Model,
  after: Model,
  changes: readonly { module: string; change: DefinitionChange }[],
  author: ReadonlySet<string>,
): DefinitionProblem[] {
  const ruled = (module: string, where: string, path: string): DefinitionProblem[] => {
    const isGuard = guardModules.has(module);
    const label = before.definitions.get(module)?.label;
    if (!label || mayDo(author, `${module}:${isGuard ? 'modify' : 'list'}`)) return [];
    const what = `its author may not ${isGuard ? 'modify' : 'list'} rows of ${module}`;
    return [forbiddenIn(where)(isGuard ? 'ruledUnmodified' : 'ruledUnlisted', what, path, inBoth(label.zh, label.en))];
  };
  const modules = [...new Set(changes.map((it) => it.module))];
  const ofModules = modules.flatMap((module) => {
    const [was, is] = [before.definitions.get(module), after.definitions.get(module)];
    return was && is ? placesOf(was, is).flatMap((path) => ruled(module, module, path)) : [];
  });
  // A list that follows the modules says nothing that they do not say.
  const lists = differing(before.options, after.options).filter((it) => it !== MODULES_LIST);
  const ofLists = lists.flatMap((list) =>
    [...before.definitions.values()]
      .filter(({ fields }) => Object.values(fields).some((it) => it.options === list))
      .flatMap(({ module }) => {
        const said = changes.find(({ change }) => Object.hasOwn(change.options ?? {}, list));
        return ruled(module, said?.module ?? module, `options.${list}`);
      }),
  );
  const made = modules.filter((it) => !before.definitions.has(it) && after.definitions.has(it));
  return [
    ...ofModules,
    ...ofLists,
    ...made.flatMap((it) => lackingIn(before, author, it, 'newModule')),
    ...(isMenuShaped(before, after) ? lackingIn(before, author, MENU, 'configureMenu') : []),
  ];
}

/**
 * What a part of a draft would do that has a right of its own, which its author lacks: a new module, the menu. Rule:
 * definitions#reach.
 * @param model the model that is in force
 * @param author the rights of who saves the part
 */
export function validatePart(
  model: Model,
  { module, change }: { module: string; change: Pick<DefinitionChange, 'definition'> },
  author: ReadonlySet<string>,
): DefinitionProblem[] {
  if (module === MENU) return lackingIn(model, author, module, 'configureMenu');
  const isNew = change.definition !== undefined && !model.definitions.has(module);
  return isNew ? lackingIn(model, author, module, 'newModule') : [];
}

function lackingIn(
  { definitions }: Model,
  author: ReadonlySet<string>,
  where: string,
  btnNo: 'configureMenu' | 'newModule',
): DefinitionProblem[] {
  if (mayDo(author, `sysModule:${btnNo}`)) return [];
  const button = definitions.get('sysModule')?.buttons?.find((it) => it.btnNo === btnNo);
  const rule = where === MENU ? 'menuNotYours' : 'moduleNotYours';
  const name = button ? inBoth(button.label.zh, button.label.en) : btnNo;
  return [forbiddenIn(where)(rule, `its author lacks the right sysModule:${btnNo}`, '', name)];
}

/** Whether a menu is another but for the entries of modules that come or go: these have their own right. */
function isMenuShaped(before: Model, after: Model): boolean {
  const stays = ({ menuNo, children }: MenuNode) => {
    const module = moduleOf(menuNo);
    return children !== undefined || before.definitions.has(module) === after.definitions.has(module);
  };
  const kept = (nodes: readonly MenuNode[]): MenuNode[] =>
    nodes.filter(stays).map((it) => (it.children ? { ...it, children: kept(it.children) } : it));
  return !dequal(kept(before.menu), kept(after.menu));
}

/** Where a definition says something else than before: its parts, and of its fields each by itself. */
const placesOf = (was: Definition, is: Definition): string[] =>
  differing(was, is).flatMap((part) => {
    if (part !== 'fields') return [part];
    return differing(was.fields, is.fields).flatMap((name) => {
      const [before, after] = [was.fields[name], is.fields[name]];
      const parts = before && after ? differing(before, after).map((it) => `.${it}`) : [''];
      return parts.map((it) => `fields.${name}${it}`);
    });
  });

function differing(was: object, is: object): string[] {
  const [before, after] = [new Map(Object.entries(was)), new Map(Object.entries(is))];
  return [...new Set([...before.keys(), ...after.keys()])].filter((it) => !dequal(before.get(it), after.get(it)));
}
