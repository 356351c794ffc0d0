/** Where a shortcut works. */
export type ShortcutPlace = 'everywhere' | 'list' | 'form' | 'station';

interface Shortcut {
  place: ShortcutPlace;
  /** As the sheet writes it; `Mod` is Ctrl, on a Mac Cmd. */
  keys: string;
}

/** Every shortcut of the house: the sheet shows this list, and what listens for keys asks it. */
export const shortcuts = {
  palette: { place: 'everywhere', keys: 'Mod+K' },
  sheet: { place: 'everywhere', keys: '?' },
  nextTab: { place: 'everywhere', keys: 'Alt+PageDown' },
  previousTab: { place: 'everywhere', keys: 'Alt+PageUp' },
  closeTab: { place: 'everywhere', keys: 'Alt+W' },
  search: { place: 'list', keys: '/' },
  rows: { place: 'list', keys: '↑ ↓' },
  openRow: { place: 'list', keys: 'Enter' },
  preview: { place: 'list', keys: 'Space' },
  selectRow: { place: 'list', keys: 'X' },
  selectAll: { place: 'list', keys: 'Mod+A' },
  rowMenu: { place: 'list', keys: 'Shift+F10' },
  submit: { place: 'form', keys: 'Mod+Enter' },
  cancel: { place: 'form', keys: 'Esc' },
  scan: { place: 'station', keys: 'Enter' },
  submitScans: { place: 'station', keys: 'Mod+Enter' },
  undo: { place: 'station', keys: 'Mod+Z' },
  closeVerdict: { place: 'station', keys: 'Esc' },
} as const satisfies Record<string, Shortcut>;

export type ShortcutName = keyof typeof shortcuts;

/** Whether this is that shortcut, with exactly its modifiers. */
export function isShortcut(event: KeyboardEvent, name: ShortcutName): boolean {
  const parts = shortcuts[name].keys.split('+');
  const key = parts.at(-1) ?? '';
  const wants = (modifier: string) => parts.slice(0, -1).includes(modifier);
  const named = event.key.toLowerCase() === (keyNames[key] ?? key).toLowerCase();
  // A sign such as ? needs Shift on most keyboards.
  const shiftFits = /^[^a-z]$/i.test(key) || event.shiftKey === wants('Shift');
  const mod = event.ctrlKey || event.metaKey;
  return named && mod === wants('Mod') && event.altKey === wants('Alt') && shiftFits;
}

const keyNames: Record<string, string> = { Esc: 'Escape', Space: ' ' };

/** `Mod` as this machine writes it. */
export const keysAsShown = (keys: string, isMac = /Mac|iPhone|iPad/.test(navigator.platform)): string[] =>
  keys.split(' ').flatMap((it) => it.split('+').map((part) => (part === 'Mod' ? (isMac ? '⌘' : 'Ctrl') : part)));
