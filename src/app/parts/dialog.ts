import type { Row, ToolbarButton } from '#app/engine/wire.ts';

/** What a dialog knows that a toolbar button opened over its list. */
export interface DialogProps {
  menuNo: string;
  module: string;
  button: ToolbarButton;
  /** The selected rows, in the list's order; exactly one where the button asks for one. */
  rows: readonly Row[];
  /** Something was changed: the list is read again, its selection is taken off. */
  onDone: () => void;
  onClose: () => void;
}
