import { lazy, Suspense, useState } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import ListSubheader from '@mui/material/ListSubheader';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Bookmark from '@mui/icons-material/Bookmark';
import BookmarkBorder from '@mui/icons-material/BookmarkBorder';
import Check from '@mui/icons-material/Check';
import type { ListView } from '#domain/listView.ts';
import { forgetTouched, useListLook, type ListLook } from '#app/engine/list/useListView.ts';
import { moduleOf } from '#app/engine/module.ts';
import { copyText } from '#app/fields/copyText.ts';
import { useNotices } from '#app/notify.ts';
import { Confirm } from '#app/parts/Confirm.tsx';
import { cutSx } from '#app/theme.ts';

const ViewDialog = lazy(() => import('#app/engine/list/ViewDialog.tsx'));

type Asking = 'new' | 'edit' | 'delete';

/** The list's saved views: choose one, keep the list as one, change it, share it, take it away. */
export function ViewsMenu() {
  const look = useListLook();
  return look ? <Views look={look} /> : null;
}

function Views({ look }: { look: ListLook }) {
  const translate = useTranslate();
  const notices = useNotices();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [asking, setAsking] = useState<Asking | null>(null);
  const { views, view, isChanged } = look;
  const isDefault = view !== null && views.defaultId === view.id;

  const doing = (what: () => Promise<unknown> | void) => () => {
    setAnchor(null);
    what()?.catch((error: unknown) => notices.failed(translate('lists.views.title'), error));
  };
  const update = doing(async () => {
    if (!view) return;
    await views.update(view, { state: look.state() });
    forgetTouched(moduleOf(look.menuNo), view.id);
    notices.success(translate('lists.views.kept', { name: view.name }));
  });
  const name = view?.name ?? translate('lists.views.all');
  return (
    <>
      <Button
        variant="text"
        color="inherit"
        aria-haspopup="menu"
        aria-label={translate('lists.views.chosen', { name })}
        title={translate('lists.views.chosen', { name })}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ fontWeight: 400, px: 1, gap: 1, minWidth: 32, maxWidth: 240, flex: 'none' }}
      >
        {view ? (
          <Bookmark color="primary" sx={{ fontSize: 18 }} />
        ) : (
          <BookmarkBorder sx={{ fontSize: 18, color: 'text.secondary' }} />
        )}
        {view && (
          <Box component="span" sx={cutSx}>
            {name}
          </Box>
        )}
        {isChanged && (
          <Box component="span" sx={{ ml: 1, color: 'warning.main', whiteSpace: 'nowrap' }}>
            {translate('lists.views.changed')}
          </Box>
        )}
      </Button>
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => setAnchor(null)}
        slotProps={{ paper: { sx: { minWidth: 240, maxWidth: 360 } } }}
      >
        <ViewItem isOn={view === null} onClick={doing(() => look.choose(null))}>
          {translate('lists.views.all')}
        </ViewItem>
        {groupsOf(views.items).map(([group, items]) => [
          <ListSubheader key={group} sx={{ fontSize: 12, lineHeight: '32px', bgcolor: 'inherit' }}>
            {translate(`lists.views.${group}`)}
          </ListSubheader>,
          ...items.map((it) => (
            <ViewItem
              key={it.id}
              isOn={it.id === view?.id}
              note={noteOf(it, views.defaultId, translate)}
              onClick={doing(() => look.choose(it))}
            >
              {it.name}
            </ViewItem>
          )),
        ])}
        <Divider />
        {view?.isOwn && isChanged && <MenuItem onClick={update}>{translate('lists.views.update')}</MenuItem>}
        {view && isChanged && (
          <MenuItem onClick={doing(() => look.choose(view))}>{translate('lists.views.revert')}</MenuItem>
        )}
        <MenuItem onClick={doing(() => setAsking('new'))}>{translate('lists.views.keep')}</MenuItem>
        {view?.isOwn && <MenuItem onClick={doing(() => setAsking('edit'))}>{translate('lists.views.edit')}</MenuItem>}
        {view && (
          <MenuItem
            onClick={doing(() =>
              copyText(`${location.origin}/${look.menuNo}?view=${view.id}`, {
                done: translate('lists.views.copied'),
                failed: translate('lists.views.notCopied'),
              }),
            )}
          >
            {translate('lists.views.copy')}
          </MenuItem>
        )}
        {view && (
          <MenuItem onClick={doing(() => views.openWith(isDefault ? null : view.id))}>
            {translate(isDefault ? 'lists.views.notDefault' : 'lists.views.makeDefault')}
          </MenuItem>
        )}
        {view?.isOwn && (
          <MenuItem onClick={doing(() => setAsking('delete'))} sx={{ color: 'error.main' }}>
            {translate('lists.views.delete')}
          </MenuItem>
        )}
      </Menu>
      <Suspense fallback={null}>
        {(asking === 'new' || asking === 'edit') && (
          <ViewDialog look={look} view={asking === 'edit' ? view : null} onClose={() => setAsking(null)} />
        )}
      </Suspense>
      {view && (
        <Confirm
          open={asking === 'delete'}
          danger
          title={translate('lists.views.deleteTitle', { name: view.name })}
          action={translate('lists.views.delete')}
          onCancel={() => setAsking(null)}
          onConfirm={doing(async () => {
            setAsking(null);
            await views.remove(view);
            look.choose(null);
          })}
        >
          {translate(view.roleId ? 'lists.views.deleteShared' : 'lists.views.deleteBody')}
        </Confirm>
      )}
    </>
  );
}

interface ViewItemProps {
  isOn: boolean;
  note?: string;
  onClick: () => void;
  children: React.ReactNode;
}

function ViewItem({ isOn, note, onClick, children, ...focus }: ViewItemProps) {
  return (
    <MenuItem selected={isOn} onClick={onClick} {...focus}>
      <Check aria-hidden sx={{ fontSize: 16, mr: 2, visibility: isOn ? 'visible' : 'hidden' }} />
      <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
        {children}
      </Box>
      {note && (
        <Box component="span" sx={{ ml: 'auto', pl: 4, fontSize: 12, color: 'text.secondary' }}>
          {note}
        </Box>
      )}
    </MenuItem>
  );
}

function groupsOf(items: readonly ListView[]): ['own' | 'shared', ListView[]][] {
  const groups: ['own' | 'shared', ListView[]][] = [
    ['own', items.filter((it) => it.isOwn)],
    ['shared', items.filter((it) => !it.isOwn)],
  ];
  return groups.filter(([, them]) => them.length > 0);
}

function noteOf(
  { id, isOwn, owner, roleName }: ListView,
  defaultId: number | null,
  translate: (key: string, words?: object) => string,
): string | undefined {
  const shared = isOwn && roleName ? translate('lists.views.sharedWith', { role: roleName }) : '';
  const notes = [isOwn ? shared : owner, id === defaultId ? translate('lists.views.default') : ''];
  return notes.filter(Boolean).join(' · ') || undefined;
}
