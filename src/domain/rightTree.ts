/** The tree of rights: groups, submenus, lists, buttons. Rule: rights#role-tree. */
export interface RightNode {
  id: string;
  name: string;
  /** It stays as it is. */
  disabled?: boolean;
  children: RightNode[];
}

/** Everything below a node. */
const below = (node: RightNode): RightNode[] => node.children.flatMap((it) => [it, ...below(it)]);
export const nodesOf = (tree: readonly RightNode[]): RightNode[] => tree.flatMap((it) => [it, ...below(it)]);

/**
 * A check more or less: checking a child checks what stands above it, checking a parent all below it; taking a parent's
 * off takes off all below it, taking a child's off leaves its parents, as a list without buttons has a meaning. What is
 * disabled stays as it is.
 */
export function toggled(tree: readonly RightNode[], checked: ReadonlySet<string>, id: string): Set<string> {
  const after = new Set(checked);
  const path = pathTo(tree, id);
  const node = path.at(-1);
  if (!node) return after;
  const open = [node, ...below(node)].filter((it) => !it.disabled);
  const isGranted = checked.has(id) && open.every((it) => checked.has(it.id));
  for (const it of open) {
    if (isGranted) after.delete(it.id);
    else after.add(it.id);
  }
  if (!isGranted) for (const it of path) if (!it.disabled) after.add(it.id);
  return after;
}

/** Half checked: some of what stands below it is, and some is not. */
export function isHalf(node: RightNode, checked: ReadonlySet<string>): boolean {
  const own = below(node);
  const count = own.filter((it) => checked.has(it.id)).length;
  return own.length > 0 && count < own.length && (count > 0 || checked.has(node.id));
}

/** The nodes that are held, by themselves or by what stands below them. */
export function checkedIn(tree: readonly RightNode[], isHeld: (node: RightNode) => boolean): Set<string> {
  const checked = new Set<string>();
  const visit = (node: RightNode): boolean => {
    const some = node.children.map(visit).includes(true);
    if (some || isHeld(node)) checked.add(node.id);
    return checked.has(node.id);
  };
  for (const it of tree) visit(it);
  return checked;
}

function pathTo(tree: readonly RightNode[], id: string): RightNode[] {
  for (const node of tree) {
    if (node.id === id) return [node];
    const rest = pathTo(node.children, id);
    if (rest.length > 0) return [node, ...rest];
  }
  return [];
}
