import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import type { DefinitionChange } from '#domain/definition/change.ts';
import type { Definition, MenuNode } from '#domain/definition/grammar.ts';
import { RightTree } from '#app/parts/RightTree.tsx';
import { useLanguage } from '#app/session.ts';
import { checkedFor, hasEverything, roleTree, withChecked, type Role } from './rules.rights.ts';

interface Props {
  laid: Definition;
  roles: readonly Role[];
  menu: readonly MenuNode[];
  change: DefinitionChange;
  onChange: (to: DefinitionChange) => void;
}

/** Which role may do what here: a button brings its list, without the list there is no button. */
export function RightsEditor({ laid, roles, menu, change, onChange }: Props) {
  const translate = useTranslate();
  const lang = useLanguage();
  const say = (key: string, args?: object) => translate(`studio.rights.${key}`, args);
  const nameOf = (role: Role, count: number, all: number) => {
    const key = hasEverything(role, change) ? 'everything' : role.mayMore ? 'mayMore' : 'count';
    return say(key, { role: role.label[lang], count, all });
  };
  const tree = roleTree(laid, { roles, menu, change }, { lang, list: say('list'), nameOf });
  return (
    <Box sx={{ border: 1, borderColor: 'divider', borderRadius: 1 }}>
      <RightTree
        label={say('title')}
        tree={tree}
        checked={checkedFor(tree, roles, change)}
        onChange={(checked, id) => onChange(withChecked(change, roles, tree, checked, id))}
      />
    </Box>
  );
}
