import { lazy, Suspense, type ComponentType, type LazyExoticComponent } from 'react';
import { useListContext } from 'ra-core';
import { dialogs } from '#features/dialogs.ts';
import { useMatching } from '#app/engine/list/matching.ts';
import { moduleOf } from '#app/engine/module.ts';
import type { OpenDialog } from '#app/engine/useAction.ts';
import type { DialogProps } from '#app/parts/dialog.ts';

interface ActionDialogProps {
  menuNo: string;
  open: OpenDialog;
  onClose: () => void;
}

/** The dialog that a feature brings to a button of this list. */
export function ActionDialog({ menuNo, open, onClose }: ActionDialogProps) {
  const { onUnselectItems, refetch } = useListContext();
  const matching = useMatching();
  const Dialog = componentOf(open.key);
  const done = () => {
    onUnselectItems();
    void refetch();
  };
  return (
    <Suspense fallback={null}>
      <Dialog
        menuNo={menuNo}
        module={moduleOf(menuNo)}
        button={open.button}
        rows={open.rows}
        matching={matching}
        isForAll={open.isForAll}
        onDone={done}
        onClose={onClose}
      />
    </Suspense>
  );
}

const loaded = new Map<string, LazyExoticComponent<ComponentType<DialogProps>>>();

/** The component of a key in `dialogs.ts`; loaded when it is first shown. */
export function componentOf(key: string): LazyExoticComponent<ComponentType<DialogProps>> {
  const load = dialogs[key];
  const known = loaded.get(key) ?? lazy(load as NonNullable<typeof load>);
  loaded.set(key, known);
  return known;
}
