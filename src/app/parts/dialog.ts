import type { Row, SearchGroup, ToolbarButton } from '#app/engine/wire.ts';

/** What a dialog knows that a toolbar button opened over its list. */
export interface DialogProps {
  menuNo: string;
  module: string;
  button: ToolbarButton;
  /** The selected rows, in the list's order; exactly one where the button asks for one. */
  rows: readonly Row[];
  /** The list under the conditions that are applied to it, selected or not. */
  matching: Matching;
  /** The user asked for all that match, beyond the rows of the page: the action is meant for `matching`, not for `rows`. */
  isForAll: boolean;
  /** Something was changed: the list is read again, its selection is taken off. */
  onDone: () => void;
  onClose: () => void;
}

/** What a list shows over all of its pages, as a call that works on the whole of it must be told. */
export interface Matching {
  total: number;
  /** The simple search, by query name, as `pager` takes it; empty without one. */
  query: Record<string, string>;
  /** The nested search, as `advancedSearch` takes it under `adminAdvancedSearchGroup`. */
  condition: SearchGroup | null;
  /** `sortBy` and `order`; empty where the list stands in the server's own order. */
  sort: Record<string, string>;
  /** The names of the columns that the user sees, in their order. */
  columns: readonly string[];
}
