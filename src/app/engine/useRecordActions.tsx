import type { ReactNode } from 'react';
import { FeatureDialog } from '#app/engine/ActionDialog.tsx';
import { isOfferedFor } from '#app/engine/actions.ts';
import { nothingElse } from '#app/engine/RowActions.tsx';
import { useAction } from '#app/engine/useAction.ts';
import type { Row } from '#app/engine/wire.ts';
import type { HeadAction } from '#app/parts/PageHead.tsx';
import { useToolbar } from '#app/shell/pageNames.ts';

/** They stand over the list, where the record is changed or gone. */
const ofList = ['modify', 'detail', 'deleteById', 'deleteAll'];

/** What a record's row offers in its list, for the head of its own page, and the dialog that one of them has opened. */
export function useRecordActions(
  menuNo: string,
  record: Row | undefined,
  onDone: () => void,
): { actions: HeadAction[]; dialog: ReactNode } {
  const { act, dialog, closeDialog } = useAction(menuNo);
  const buttons = (useToolbar(menuNo).data ?? []).filter((it) => it.rows === 1 && !ofList.includes(it.btnScript));
  const actions = !record
    ? []
    : buttons
        .filter((it) => isOfferedFor(it, [record]))
        .map((it) => ({ label: it.btnName, tone: it.tone ?? 'plain', onPress: () => act(it, [record]) }));
  return {
    actions,
    dialog: dialog && (
      <FeatureDialog menuNo={menuNo} open={dialog} matching={nothingElse} onDone={onDone} onClose={closeDialog} />
    ),
  };
}
