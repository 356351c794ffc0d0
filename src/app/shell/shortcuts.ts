/** Where a shortcut works. */
export type ShortcutScope = 'everywhere' | 'list' | 'form' | 'review' | 'station';

interface Shortcut {
  scope: ShortcutScope;
  /** As the sheet writes it; `Mod` is Ctrl, on a Mac Cmd. */
  keys: string;
}

/** Every shortcut of the product: the sheet shows this list, and what listens for keys asks it. */
export const shortcuts = {
  palette: { scope: 'everywhere', keys: 'Mod+K' },
  sheet: { scope: 'everywhere', keys: '?' },
  nextTab: { scope: 'everywhere', keys: 'Alt+PageDown' },
  previousTab: { scope: 'everywhere', keys: 'Alt+PageUp' },
  closeTab: { scope: 'everywhere', keys: 'Alt+W' },
  search: { scope: 'list', keys: '/' },
  rows: { scope: 'list', keys: '↑ ↓' },
  openRow: { scope: 'list', keys: 'Enter' },
  preview: { scope: 'list', keys: 'Space' },
  selectRow: { scope: 'list', keys: 'X' },
  selectAll: { scope: 'list', keys: 'Mod+A' },
  rowMenu: { scope: 'list', keys: 'Shift+F10' },
  submit: { scope: 'form', keys: 'Mod+Enter' },
  cancel: { scope: 'form', keys: 'Esc' },
  pass: { scope: 'review', keys: 'Alt+P' },
  notPass: { scope: 'review', keys: 'Alt+N' },
  nextReview: { scope: 'review', keys: 'Alt+→' },
  scan: { scope: 'station', keys: 'Enter' },
  submitScans: { scope: 'station', keys: 'Mod+Enter' },
  endBill: { scope: 'station', keys: 'Mod+Shift+Enter' },
  undo: { scope: 'station', keys: 'Mod+Z' },
  closeVerdict: { scope: 'station', keys: 'Esc' },
  kiosk: { scope: 'station', keys: 'F9' },
} as const satisfies Record<string, Shortcut>;

export type ShortcutName = keyof typeof shortcuts;

/** Whether this is that shortcut, with exactly its modifiers. */
export function isShortcut(event: KeyboardEvent, name: ShortcutName): boolean {
  const parts = shortcuts[name].keys.split('+');
  const key = parts.at(-1) ?? '';
  const wants = (modifier: string) => parts.slice(0, -1).includes(modifier);
  // With Alt a Mac types another sign; the key itself is the same.
  const isKey = event.altKey && event.code === `Key${key}`;
  const named = isKey || event.key.toLowerCase() === (keyNames[key] ?? key).toLowerCase();
  // A sign such as ? needs Shift on most keyboards.
  const shiftFits = /^[^a-z]$/i.test(key) || event.shiftKey === wants('Shift');
  const mod = event.ctrlKey || event.metaKey;
  return named && mod === wants('Mod') && event.altKey === wants('Alt') && shiftFits;
}

const keyNames: Record<string, string> = { Esc: 'Escape', Space: ' ', '→': 'ArrowRight' };

/** `Mod` as this machine writes it. */
export const keysAsShown = (keys: string, isMac = /Mac|iPhone|iPad/.test(navigator.platform)): string[] =>
  keys.split(' ').flatMap((it) => it.split('+').map((part) => (part === 'Mod' ? (isMac ? '⌘' : 'Ctrl') : part)));
