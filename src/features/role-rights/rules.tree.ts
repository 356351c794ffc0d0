import type { Definition, MenuNode, Model } from '#domain/definition/grammar.ts';
import { checkedIn, nodesOf, type RightNode } from '#domain/rightTree.ts';
import { platformRights, mayDo } from '#domain/rights.ts';
import type { Language } from '#domain/words.ts';

/** Stands over what no menu entry opens: the lines of bills, and what belongs to no list. */
const OTHERS = 'others';

/** The menu with its buttons as a tree of rights; a list's own right is `module:list`. Rule: rights#role-tree. */
export function rightTree(model: Model, lang: Language): RightNode[] {
  const inMenu = new Set<string>();
  const ofMenu = (nodes: readonly MenuNode[]): RightNode[] =>
    nodes.flatMap((node): RightNode[] => {
      if (node.children) {
        return [{ id: node.menuNo, name: node.label?.[lang] ?? node.menuNo, children: ofMenu(node.children) }];
      }
      const definition = model.definitions.get(node.menuNo.replace(/List$/, ''));
      if (!definition) return [];
      inMenu.add(definition.module);
      return [ofModule(definition, lang)];
    });
  const menu = ofMenu(model.menu);
  const rest = [...model.definitions.values()].filter((it) => !inMenu.has(it.module)).map((it) => ofModule(it, lang));
  const platformNodes = Object.entries(platformRights).map(([module, buttons]): RightNode => ({
    id: module,
    name: platformLabels[module]?.[lang] ?? module,
    children: buttons.map((it) => ({
      id: `${module}:${it}`,
      name: platformLabels[`${module}:${it}`]?.[lang] ?? it,
      children: [],
    })),
  }));
  const name = lang === 'zh' ? '明细与其他' : 'Lines and others';
  return [...menu, { id: OTHERS, name, children: [...rest, ...platformNodes] }];
}

const ofModule = ({ module, label, buttons }: Definition, lang: Language): RightNode => ({
  id: `${module}:list`,
  name: label[lang],
  children: (buttons ?? []).map((it) => ({ id: `${module}:${it.btnNo}`, name: it.label[lang], children: [] })),
});

const platformLabels: Record<string, { zh: string; en: string }> = {
  savedView: { zh: '保存的视图', en: 'Saved views' },
  'savedView:share': { zh: '共享视图', en: 'Share with a role' },
  'savedView:delete': { zh: '删除他人共享的视图', en: 'Delete what others share' },
};

/** The same tree, in which these rights, and groups of nothing else, can't be checked. */
export const disabledIn = (tree: readonly RightNode[], rights: ReadonlySet<string>): RightNode[] =>
  tree.map((it) => {
    const children = disabledIn(it.children, rights);
    const isOff = it.id.includes(':')
      ? rights.has(it.id)
      : children.length > 0 && children.every((own) => own.disabled);
    return { ...it, children, ...(isOff && { disabled: true }) };
  });

/** The checks of a tree for these rights, stars written out: each right that is held, and what stands above it. */
export const checkedFor = (tree: readonly RightNode[], rights: ReadonlySet<string>): Set<string> =>
  checkedIn(tree, ({ id }) => id.includes(':') && mayDo(rights, id));

/** The rights that checks stand for: a button brings its list; groups are no rights. Unknown ids by themselves. */
export function rightsFrom(
  tree: readonly RightNode[],
  ids: readonly string[],
): { rights: Set<string>; unknown: string[] } {
  const known = new Set(nodesOf(tree).map((it) => it.id));
  const rights = new Set(ids.filter((it) => known.has(it) && it.includes(':')));
  for (const it of [...rights]) {
    const list = `${it.split(':')[0]}:list`;
    if (known.has(list)) rights.add(list);
  }
  return { rights, unknown: ids.filter((it) => !known.has(it)) };
}

/** Whether nothing that could be given is missing. */
export const isEverything = (tree: readonly RightNode[], rights: ReadonlySet<string>): boolean =>
  nodesOf(tree).every((it) => !it.id.includes(':') || rights.has(it.id));
