import { lazy, Suspense, type ComponentType, type LazyExoticComponent } from 'react';
import { useListContext } from 'ra-core';
import { useMatching } from '#app/engine/list/matching.ts';
import { moduleOf } from '#app/engine/module.ts';
import type { OpenDialog } from '#app/engine/useAction.ts';
import { useFeatures, type Features } from '#app/features.ts';
import type { DialogProps } from '#app/parts/dialog.ts';

interface ActionDialogProps extends Pick<DialogProps, 'menuNo' | 'onClose'> {
  open: OpenDialog;
}

/** The dialog that a feature brings to a button of this list. */
export function ActionDialog(props: ActionDialogProps) {
  const { onUnselectItems, refetch } = useListContext();
  const matching = useMatching();
  const done = () => {
    onUnselectItems();
    void refetch();
  };
  return <FeatureDialog {...props} matching={matching} onDone={done} />;
}

/** The dialog that a feature brings to a button, over whatever holds the rows; loaded when it is first shown. */
export function FeatureDialog({
  menuNo,
  open: { key, button, rows, isForAll },
  ...rest
}: ActionDialogProps & Pick<DialogProps, 'matching' | 'onDone'>) {
  const Dialog = loadDialog(useFeatures().dialogs, key);
  return (
    <Suspense fallback={null}>
      <Dialog {...rest} menuNo={menuNo} module={moduleOf(menuNo)} button={button} rows={rows} isForAll={isForAll} />
    </Suspense>
  );
}

const loaded = new Map<string, LazyExoticComponent<ComponentType<DialogProps>>>();

/** The component of a dialog, by its key. */
function loadDialog(dialogs: Features['dialogs'], key: string): LazyExoticComponent<ComponentType<DialogProps>> {
  const load = dialogs[key];
  const known = loaded.get(key) ?? lazy(load as NonNullable<typeof load>);
  loaded.set(key, known);
  return known;
}
