import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useTranslate } from 'ra-core';
import { deedOf } from '#app/engine/actions.ts';
import { moduleOf } from '#app/engine/module.ts';
import type { Row, ToolbarButton } from '#app/engine/wire.ts';
import { notices } from '#app/notify.ts';

/** A feature's dialog, with the rows for which it was opened: a list that is read again meanwhile does not change them. */
export interface OpenDialog {
  key: string;
  button: ToolbarButton;
  rows: readonly Row[];
}

/** Does what a toolbar button asks for, with the rows that are selected. */
export function useAction(menuNo: string, selected: readonly Row[]) {
  const translate = useTranslate();
  const navigate = useNavigate();
  const { search } = useLocation();
  const [deleting, setDeleting] = useState<'one' | 'many' | null>(null);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);

  const act = (button: ToolbarButton) => {
    const deed = deedOf(button, menuNo, moduleOf(menuNo), selected);
    if (deed.kind === 'select') notices.warning(translate('shell.list.select'));
    else if (deed.kind === 'unknown') notices.warning(translate('shell.list.unknownAction'));
    else if (deed.kind === 'delete') setDeleting(deed.many ? 'many' : 'one');
    else if (deed.kind === 'dialog') setDialog({ key: deed.key, button, rows: selected });
    else navigate(deed.keepsQuery ? deed.path + search : deed.path);
  };
  return { act, deleting, stopDeleting: () => setDeleting(null), dialog, closeDialog: () => setDialog(null) };
}
