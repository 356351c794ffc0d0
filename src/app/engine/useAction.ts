import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useTranslate } from 'ra-core';
import { resolveAction } from '#app/engine/actions.ts';
import { moduleOf } from '#app/engine/module.ts';
import type { Row, ToolbarButton } from '#app/engine/wire.ts';
import { useFeatures } from '#app/features.ts';
import { notices } from '#app/notify.ts';

/** A feature's dialog, with the rows for which it was opened: a list that is read again meanwhile does not change them. */
export interface OpenDialog {
  key: string;
  button: ToolbarButton;
  rows: readonly Row[];
  /** It is meant for all that match. */
  isForAll: boolean;
}

interface Deleting {
  many: boolean;
  rows: readonly Row[];
}

export type Act = (button: ToolbarButton, rows: readonly Row[], isForAll?: boolean) => void;

/** Does what a button asks for with rows: those that are selected, or the one whose menu was opened. */
export function useAction(menuNo: string) {
  const translate = useTranslate();
  const features = useFeatures();
  const navigate = useNavigate();
  const { search } = useLocation();
  const [deleting, setDeleting] = useState<Deleting | null>(null);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);

  const act: Act = (button, rows, isForAll = false) => {
    const action = resolveAction(button, menuNo, moduleOf(menuNo), rows, features);
    // Where nothing is selected, what takes all that match is meant for them.
    const isAll = button.all === true && (isForAll || rows.length === 0);
    if (action.kind === 'select') notices.warning(translate('shell.list.select'));
    else if (action.kind === 'unknown') notices.warning(translate('shell.list.unknownAction'));
    else if (action.kind === 'delete') setDeleting({ many: action.many, rows });
    else if (action.kind === 'dialog') setDialog({ key: action.key, button, rows, isForAll: isAll });
    else void navigate(action.keepsQuery ? action.path + search : action.path);
  };
  return { act, deleting, stopDeleting: () => setDeleting(null), dialog, closeDialog: () => setDialog(null) };
}
