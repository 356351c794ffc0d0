import { refFields } from '#domain/definition/refFields.ts';
import { dequal } from 'dequal/lite';
import type { DefinitionChange } from '#domain/definition/change.ts';
import type { Button, Definition, Model } from '#domain/definition/grammar.ts';
import { forbiddenIn } from '#domain/definition/forbidden.ts';
import { keysOf } from '#domain/definition/keys.ts';
import type { DefinitionProblem } from '#domain/definition/problems.ts';
import { rowsAre, rowsChain } from '#domain/definition/rowsOf.ts';
import { standingFields } from '#domain/definition/standingFields.ts';
import { deedOf, deletingRights, FILE_DEED } from '#domain/definition/writes.ts';
import { mayDo } from '#domain/rights.ts';

/** What a definition reads of another module. */
interface Reach {
  module: string;
  fields: readonly string[];
  /** Where in the definition it says so. */
  path: string;
  /** All that is said there: what is still the same reads no more than before. */
  said: unknown;
}

function reachOf({ fields, rowsOf, site, lines = [] }: Definition): Reach[] {
  const refs = Object.entries(fields).flatMap(([name, { ref, site: of }]): Reach[] => [
    // Whether a value is shown tells whether there is such a row; in a list of another's rows that one's fields say it.
    ...(of && !rowsOf ? [{ module: of.through, fields: [of.by], path: `fields.${name}.site`, said: of }] : []),
    ...(ref
      ? [
          {
            module: ref.module,
            fields: refFields(ref),
            path: `fields.${name}.ref`,
            said: ref,
          },
        ]
      : []),
  ]);
  const listed = lines.map((it): Reach => ({ module: it.module, fields: [], path: `lines.${it.name}`, said: it }));
  // Which rows are shown would tell what stands in the fields by which they are chosen.
  const its = rowsOf ? [...Object.keys(fields), ...Object.keys(rowsOf.when)] : [];
  const own = rowsOf ? [{ module: rowsOf.module, fields: its, path: 'rowsOf', said: rowsOf }] : [];
  // A list of another's rows has that one's site, which is asked for below.
  const above =
    !rowsOf && typeof site === 'object' && 'through' in site
      ? [{ module: site.through, fields: [site.as ?? site.by], path: 'site', said: site }]
      : [];
  return [...refs, ...listed, ...own, ...above];
}

/**
 * New buttons for what others of the module, or of those whose rows it shows, do already and none of which their author may
 * press: he would give himself their right. A file takes rows away where a list only shows them, so that where no button of a
 * list gives one it is added by who has one of some other list; a new module with rows of its own has none of anybody's. Nor may
 * a button be called as the right to the rows of others, which its author does not have.
 */
function foreignButtons(before: Model, definition: Definition, author: ReadonlySet<string>): DefinitionProblem[] {
  const { module, buttons = [] } = definition;
  const no = forbiddenIn(module);
  const own = before.definitions.get(module);
  const [, ...above] = rowsChain(definition, before);
  const sources = own ? [own, ...above] : above;
  if (sources.length === 0) return [];
  const doing = (deed: string, among: Iterable<Definition>) =>
    [...among].flatMap((it) =>
      (it.buttons ?? []).filter(({ script }) => deedOf(script) === deed).map(({ btnNo }) => `${it.module}:${btnNo}`),
    );
  const isForeign = ({ btnNo, script }: Button) => {
    if (own?.buttons?.some((it) => it.btnNo === btnNo)) return false;
    // The right to others' rows is a button's name, whether or not there is one.
    if (own?.owner?.unless === btnNo && !mayDo(author, `${module}:${btnNo}`)) return true;
    const deed = deedOf(script);
    const same = doing(deed, sources);
    const asked = same.length === 0 && deed === FILE_DEED ? doing(deed, before.definitions.values()) : same;
    return asked.length > 0 && !asked.some((it) => mayDo(author, it));
  };
  return buttons
    .filter(isForeign)
    .map(({ btnNo, script }) => no('callNotYours', `its author may not "${script}"`, `buttons.${btnNo}.script`, btnNo));
}

/**
 * What the changed modules would read anew of others and their author may not: rows of a module whose list he has no right
 * to, passwords, what stands nowhere, rows of other sites or of other users, or what a view shows. Rule: definitions#reach.
 * @param before the model that is in force
 * @param after the same with the change laid over it
 * @param author the rights of who made the change
 */
export function validateReach(
  before: Model,
  after: Model,
  changed: Iterable<string>,
  author: ReadonlySet<string>,
): DefinitionProblem[] {
  const mayRead = (module: string) => mayDo(author, `${module}:list`);
  return [...new Set(changed)].flatMap((where) => {
    const definition = after.definitions.get(where);
    if (!definition) return [];
    const no = forbiddenIn(where);
    const known = before.definitions.get(where);
    const knownReach = known ? reachOf(known) : [];
    const problems: DefinitionProblem[] = [];
    for (const { module, fields, path, said } of reachOf(definition)) {
      const same = knownReach.find((it) => it.path === path && dequal(it.said, said));
      // A list of another's rows reads more of it by a field more.
      if (same && fields.every((it) => same.fields.includes(it))) continue;
      const target = after.definitions.get(module);
      const secret = fields.find((it) => target?.fields[it]?.type === 'password');
      const nowhere =
        path.endsWith('.ref') && target ? fields.find((it) => !standingFields(target).has(it)) : undefined;
      if (secret !== undefined)
        problems.push(no('secretField', `"${secret}" of ${module} is nobody's to read`, path, secret));
      else if (module !== where && !mayRead(module))
        problems.push(no('unreadable', `its author has no right to the list of ${module}`, path, module));
      else if (nowhere !== undefined)
        problems.push(no('refNowhere', `"${nowhere}" of ${module} stands nowhere`, path, nowhere));
    }
    problems.push(...foreignButtons(before, definition, author));
    if (known) return problems;
    const { rowsOf, viewOf, about, site, owner } = definition;
    for (const { name, module, owned } of definition.lines ?? []) {
      const target = before.definitions.get(module);
      if (owned && target && !deletingRights(target).some((it) => mayDo(author, it)))
        problems.push(no('rowsStay', `its author may not delete rows of ${module}`, `lines.${name}`, module));
    }
    const base = rowsOf && after.definitions.get(rowsOf.module);
    if (base && !(dequal(site, base.site) && dequal(owner, base.owner)))
      problems.push(no('widerRows', `it would show rows that ${base.module} does not`, 'rowsOf', base.module));
    if (base?.rowsOf) {
      const root = rowsAre(base, after).module;
      problems.push(no('listOfList', `${base.module} is itself a list of rows of ${root}`, 'rowsOf', root));
    }
    if (viewOf) problems.push(no('fixedPart', '"viewOf" is only shipped', 'viewOf', 'viewOf'));
    if (about) problems.push(no('fixedPart', '"about" is only shipped', 'about', 'about'));
    return problems;
  });
}

/** A part of a draft or of a publish. */
interface Changed {
  module: string;
  change: DefinitionChange;
}

/**
 * References, and fields that no two rows may share, that are new over values which are there already, where their author does not
 * see all rows of the lists that are looked through, or all values of the fields: whether all are found, or differ, would tell him
 * what the rows hold that he does not see. What is new holds nothing unless it keeps what was there or comes again, and what may
 * dangle is not looked for. What others refer by is unique already, so that nothing becomes a reference by it. Rule:
 * definitions#figures.
 * @param sites whose rows he sees
 */
export function validateBlind(
  before: Model,
  after: Model,
  changes: readonly Changed[],
  { author, sites }: { author: ReadonlySet<string>; sites: 'all' | readonly string[] },
): DefinitionProblem[] {
  const seesAll = (module: string): boolean => {
    const definition = after.definitions.get(module);
    if (!definition) return true;
    const { module: of, site, owner } = rowsAre(definition, after);
    return (sites === 'all' || site === 'all') && (!owner || mayDo(author, `${of}:${owner.unless}`));
  };
  // In a list of another's rows that one's fields say of which sites a value is.
  const isOfSites = (module: string, name: string): boolean => {
    const definition = after.definitions.get(module);
    return definition !== undefined && rowsAre(definition, after).fields[name]?.site !== undefined;
  };
  const seesValues = (module: string, name: string) => seesAll(module) && (sites === 'all' || !isOfSites(module, name));
  const partsOf = (module: string) => changes.filter((it) => it.module === module).map((it) => it.change);
  const wasThere = (module: string, name: string) => before.definitions.get(module)?.fields[name] !== undefined;
  // Taken back before, and brought by no change now.
  const comesAgain = (module: string, name: string) =>
    !wasThere(module, name) &&
    !partsOf(module).some(({ definition, fields = {} }) => definition !== undefined || Object.hasOwn(fields, name));
  const isKept = (module: string, name: string) =>
    partsOf(module).some(
      ({ contents: { table, fields = {} } = {} }) =>
        table === 'keep' || (Object.hasOwn(fields, name) && fields[name] === 'keep'),
    );
  const holds = (module: string, name: string) =>
    wasThere(module, name) || isKept(module, name) || comesAgain(module, name);
  return [...new Set(changes.map((it) => it.module))].flatMap((module) => {
    const [was, definition] = [before.definitions.get(module), after.definitions.get(module)];
    if (!definition || definition.viewOf) return [];
    const no = forbiddenIn(module);
    const refs = Object.entries(definition.fields).flatMap(([name, { ref }]) => {
      if (!ref || ref.mayDangle !== undefined || !holds(module, name) || dequal(was?.fields[name]?.ref, ref)) return [];
      const unseen = !seesValues(module, name) ? module : !seesValues(ref.module, ref.value) ? ref.module : undefined;
      const what = `its author does not see all rows or values of ${unseen ?? ''}`;
      return unseen === undefined ? [] : [no('refBlind', what, `fields.${name}.ref`, name)];
    });
    const known = was ? keysOf(was) : [];
    // A value of some sites is no key, whoever adds it. What comes again as a whole nobody has written meanwhile.
    const keys = keysOf(definition).flatMap(({ path, columns }) =>
      seesAll(module) ||
      !columns.every((it) => holds(module, it)) ||
      columns.every((it) => comesAgain(module, it)) ||
      columns.some((it) => isOfSites(module, it)) ||
      known.some((it) => dequal(it.columns, columns))
        ? []
        : [no('keyBlind', `its author does not see all rows of ${module}`, path, columns.join(', '))],
    );
    return [...refs, ...keys];
  });
}
