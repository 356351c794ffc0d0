import { Link } from 'react-router-dom';
import { useTranslate } from 'ra-core';
import Divider from '@mui/material/Divider';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { standardNames } from '#domain/definition/columns.ts';
import { configurePath, useMayConfigure } from '#app/engine/configure.ts';
import { changed } from '#app/engine/list/columns.ts';
import type { ListLook } from '#app/engine/list/useListView.ts';
import type { MenuPosition } from '#app/engine/list/useRows.ts';

interface ColumnMenuProps {
  menuNo: string;
  look: ListLook;
  column: string;
  at: MenuPosition;
  onClose: () => void;
}

/** What can be done with a column where it stands: by everybody for himself, by who shapes lists for all. */
export default function ColumnMenu({ menuNo, look, column, at, onClose }: ColumnMenuProps) {
  const translate = useTranslate();
  const mayConfigure = useMayConfigure();
  const say = (key: string) => translate(`lists.columns.${key}`);
  const isFirst = look.columns[0]?.name === column;
  const isOwn = !(standardNames as readonly string[]).includes(column);
  const hide = () => {
    onClose();
    look.arrange(changed(look.arranged, column, { hidden: true }));
  };
  // A menu takes no fragment among its entries.
  return (
    <Menu open onClose={onClose} anchorReference="anchorPosition" anchorPosition={at}>
      <MenuItem disabled={isFirst} onClick={hide}>
        {say('hide')}
      </MenuItem>
      {mayConfigure && <Divider />}
      {mayConfigure && isOwn && (
        <MenuItem component={Link} to={configurePath(menuNo, { at: 'fields', name: column })} onClick={onClose}>
          {say('rename')}
        </MenuItem>
      )}
      {mayConfigure && (
        <MenuItem component={Link} to={configurePath(menuNo, { at: 'list', name: column })} onClick={onClose}>
          {say('hideForAll')}
        </MenuItem>
      )}
    </Menu>
  );
}
