import { SimpleTreeView } from '@mui/x-tree-view/SimpleTreeView';
import { TreeItem } from '@mui/x-tree-view/TreeItem';
import { isHalf, toggled, type RightNode } from '#domain/rightTree.ts';

interface Props {
  label: string;
  tree: readonly RightNode[];
  checked: ReadonlySet<string>;
  /** What is checked then, and which node was pressed. */
  onChange: (checked: ReadonlySet<string>, id: string) => void;
}

/** Rights as a tree of boxes: a box brings what stands above it and takes what stands below it along. Rule: rights#role-tree. */
export function RightTree({ label, tree, checked, onChange }: Props) {
  return (
    <SimpleTreeView
      multiSelect
      checkboxSelection
      disabledItemsFocusable
      aria-label={label}
      itemChildrenIndentation={24}
      selectedItems={[...checked]}
      onItemSelectionToggle={(_, id) => onChange(toggled(tree, checked, id), id)}
      sx={{ p: 1, ...plain }}
    >
      {tree.map((it) => (
        <RightItem key={it.id} node={it} checked={checked} />
      ))}
    </SimpleTreeView>
  );
}

/** The box says what is checked; a tree with nearly everything checked would be one coloured surface. */
const plain = {
  '& .MuiTreeItem-root .MuiTreeItem-content[data-selected]': { bgcolor: 'transparent' },
  '& .MuiTreeItem-root .MuiTreeItem-content:is(:hover, [data-focused])': { bgcolor: 'action.hover' },
};

function RightItem({ node, checked }: { node: RightNode; checked: ReadonlySet<string> }) {
  const indeterminate = isHalf(node, checked);
  return (
    <TreeItem
      itemId={node.id}
      label={node.name}
      disabled={node.disabled}
      {...(indeterminate && { 'aria-checked': 'mixed' })}
      slotProps={{ checkbox: { indeterminate, size: 'small' } as object }}
    >
      {node.children.map((it) => (
        <RightItem key={it.id} node={it} checked={checked} />
      ))}
    </TreeItem>
  );
}
