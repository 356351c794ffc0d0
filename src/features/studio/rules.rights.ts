import type { DefinitionChange } from '#domain/definition/change.ts';
import type { Definition, MenuNode } from '#domain/definition/grammar.ts';
import { checkedIn, nodesOf, type RightNode } from '#domain/rightTree.ts';
import type { Language } from '#domain/words.ts';

export interface Role {
  roleId: string;
  label: { zh: string; en: string };
  rights: string[];
  /** It may more than who looks, who leaves it as it is. Rule: rights#giving. */
  mayMore: boolean;
}

const LIST = 'list';
const EVERYTHING = '*';

/** What a role has of the module as the draft stands; a star is everything, also what comes later. */
const heldBy = (role: Role, change: DefinitionChange): readonly string[] => change.rights?.[role.roleId] ?? role.rights;
export const hasEverything = (role: Role, change: DefinitionChange): boolean =>
  heldBy(role, change).includes(EVERYTHING);

interface Told {
  lang: Language;
  list: string;
  nameOf: (role: Role, count: number, all: number) => string;
}

/** Each role over the groups of the menu in which the module stands, its list and its buttons. Rule: rights#role-tree. */
export function roleTree(
  laid: Definition,
  { roles, menu, change }: { roles: readonly Role[]; menu: readonly MenuNode[]; change: DefinitionChange },
  { lang, list, nameOf }: Told,
): RightNode[] {
  const groups = groupsAbove(menu, `${laid.module}List`) ?? [];
  return roles.map((role, i) => {
    const buttons = (laid.buttons ?? []).map((it) => ({ id: idOf(i, it.btnNo), name: it.label[lang], children: [] }));
    const own: RightNode = { id: idOf(i, LIST), name: list, children: buttons };
    const branch = groups.reduceRight<RightNode>(
      (child, it) => ({ id: `${i}//${it.menuNo}`, name: it.label?.[lang] ?? it.menuNo, children: [child] }),
      own,
    );
    const held = heldBy(role, change);
    const isAll = held.includes(EVERYTHING);
    const disabled = isAll || role.mayMore;
    const all = 1 + buttons.length;
    const count = isAll ? all : [own, ...buttons].filter((it) => held.includes(buttonOf(it.id))).length;
    return { id: String(i), name: nameOf(role, count, all), disabled, children: [branch] };
  });
}

const idOf = (role: number, button: string) => `${role}/${button}`;
const buttonOf = (id: string): string => /^\d+\/(\w+)$/.exec(id)?.[1] ?? '';

/** The boxes that are checked for what the roles have. */
export const checkedFor = (tree: readonly RightNode[], roles: readonly Role[], change: DefinitionChange): Set<string> =>
  checkedIn(tree, ({ id }) => {
    const role = roles[Number.parseInt(id, 10)];
    const held = role ? heldBy(role, change) : [];
    return buttonOf(id) !== '' && (held.includes(EVERYTHING) || held.includes(buttonOf(id)));
  });

/** The change with what the role of a box has then. */
export function withChecked(
  change: DefinitionChange,
  roles: readonly Role[],
  tree: readonly RightNode[],
  checked: ReadonlySet<string>,
  id: string,
): DefinitionChange {
  const at = Number.parseInt(id, 10);
  const [role, root] = [roles[at], tree[at]];
  if (!role || !root) return change;
  const held = nodesOf([root]).filter((it) => checked.has(it.id));
  const rights = held.map((it) => buttonOf(it.id)).filter((it) => it !== '');
  return { ...change, rights: { ...change.rights, [role.roleId]: rights.sort() } };
}

/** The groups over an entry of the menu, the outermost first; undefined where it is not there. */
function groupsAbove(menu: readonly MenuNode[], menuNo: string): MenuNode[] | undefined {
  for (const it of menu) {
    if (it.menuNo === menuNo) return [];
    const rest = it.children && groupsAbove(it.children, menuNo);
    if (rest) return [it, ...rest];
  }
  return undefined;
}
