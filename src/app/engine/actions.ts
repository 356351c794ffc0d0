import type { Row, ToolbarButton } from '#app/engine/wire.ts';
import type { Features } from '#app/features.ts';

/** What a toolbar button leads to. */
type ButtonAction =
  | { kind: 'open'; path: string; keepsQuery: boolean }
  | { kind: 'delete'; many: boolean }
  /** A dialog that a feature brings, by its key among `Features`. */
  | { kind: 'dialog'; key: string }
  /** Nothing is sent: a row is missing, or nobody knows the script. */
  | { kind: 'select' }
  | { kind: 'unknown' };

/**
 * Finds by its script what a button does; nothing of a script is ever run. The generic scripts are the engine's own,
 * every other one names a page that a feature brings. Rule: lists#buttons.
 */
export function resolveAction(
  button: ToolbarButton,
  menuNo: string,
  module: string,
  selected: readonly Row[],
  { pages, dialogs }: Features,
): ButtonAction {
  const script = scriptOf(button);
  const [row] = selected;
  const isOfRow = needsRow(button);
  const isMany = button.rows === 'many' || script === 'deleteAll';
  if (isOfRow && !button.all && (!row || (!isMany && selected.length > 1))) return { kind: 'select' };
  const id = isOfRow && row ? `/${encodeURIComponent(idFor(script, row))}` : '';
  if (Object.hasOwn(pages, `${module}:${script}`))
    return { kind: 'open', path: `/${menuNo}/${script}${id}`, keepsQuery: false };
  const dialog = [`${module}:${script}`, `*:${script}`].find((it) => Object.hasOwn(dialogs, it));
  if (dialog) return { kind: 'dialog', key: dialog };
  switch (script) {
    case 'create':
      return { kind: 'open', path: `/${menuNo}/create`, keepsQuery: true };
    case 'modify':
      return { kind: 'open', path: `/${menuNo}/modify${id}`, keepsQuery: true };
    case 'detail':
      return { kind: 'open', path: `/${menuNo}/detail${id}`, keepsQuery: false };
    case 'deleteById':
      return { kind: 'delete', many: false };
    case 'deleteAll':
      return { kind: 'delete', many: true };
    default:
      return { kind: 'unknown' };
  }
}

/** Of these rows, those that a button is not for; each `when` of it looks at one field. */
export function misfitsOf(
  { when, rows }: ToolbarButton,
  selected: readonly Row[],
): { field: string; rows: readonly Row[] } | undefined {
  if (rows === 1 && selected.length > 1) return { field: '', rows: selected };
  for (const [field, wanted] of Object.entries(when ?? {})) {
    const wrong = selected.filter((row) => ![wanted].flat().includes(String(row[field] ?? '')));
    if (wrong.length > 0) return { field, rows: wrong };
  }
  return undefined;
}

/** A button that looks at fields of its rows is offered only where all of them have the values. */
export const isOfferedFor = (button: ToolbarButton, selected: readonly Row[]): boolean =>
  misfitsOf(button, selected) === undefined;

/** A button that does something to rows, not to the list. */
export const needsRow = (button: ToolbarButton): boolean =>
  button.rows !== undefined || rowScripts.includes(scriptOf(button));

/** A button that only takes along what the list shows. */
const isExport = (button: ToolbarButton): boolean => scriptOf(button).startsWith('export');

/** Of a list's buttons the one that people come for: the loud one, else the first that does more than to show and to take along. */
const mainOf = (buttons: readonly ToolbarButton[]): ToolbarButton | undefined =>
  buttons.find((it) => it.tone === 'primary') ??
  buttons.find((it) => it.tone !== 'danger' && !isExport(it) && scriptOf(it) !== 'detail');

/**
 * In the server's order, the dangerous ones last. With rows selected theirs stand before the list's; without any the main
 * one stands first, even where it waits for a row, then the list's, of those the exports last. Rule: lists#buttons.
 */
export function inOrder(buttons: readonly ToolbarButton[], isSelecting: boolean): ToolbarButton[] {
  const main = mainOf(buttons);
  const tone = (it: ToolbarButton) => (it.tone === 'primary' ? 0 : it.tone === 'danger' ? 3 : isExport(it) ? 2 : 1);
  const rank = (it: ToolbarButton) =>
    !isSelecting && it === main ? -1 : (isSelecting === needsRow(it) ? 0 : 10) + tone(it);
  return [...buttons].sort((a, b) => rank(a) - rank(b));
}

const rowScripts = ['modify', 'detail', 'deleteById', 'deleteAll'];

const scriptOf = ({ btnScript, btnNo }: ToolbarButton) => btnScript.replace(/\(.*\)$/, '') || btnNo;

/** The history of a unit is asked for by its SN, everything else by the row. */
const idFor = (script: string, row: Row): string =>
  script === 'viewHistory' && typeof row['sn'] === 'string' ? row['sn'] : String(row.id);
