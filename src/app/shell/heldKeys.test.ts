// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stopHeldKeys } from '#app/shell/heldKeys.ts';
import { type ShortcutName, shortcuts } from '#app/shell/shortcuts.ts';

const moving: readonly ShortcutName[] = ['nextTab', 'previousTab', 'rows', 'nextReview'];
const names: Record<string, string> = {
  ...{ '↑': 'ArrowUp', '↓': 'ArrowDown', '→': 'ArrowRight', Esc: 'Escape', Space: ' ' },
};

/** The keys of a shortcut, as the browser tells them. */
const strokesOf = (keys: string): KeyboardEventInit[] =>
  keys.split(' ').map((it) => {
    const parts = it.split('+');
    const key = parts.at(-1) ?? '';
    const has = (modifier: string) => parts.slice(0, -1).includes(modifier);
    return { key: names[key] ?? key, ctrlKey: has('Mod'), altKey: has('Alt'), shiftKey: has('Shift') };
  });

let heard: KeyboardEvent[] = [];
let stop: () => void;
const onKey = (event: KeyboardEvent) => heard.push(event);

beforeEach(() => {
  heard = [];
  stop = stopHeldKeys();
  window.addEventListener('keydown', onKey, true);
});
afterEach(() => {
  stop();
  window.removeEventListener('keydown', onKey, true);
  document.body.replaceChildren();
});

function put(markup: string): Element {
  document.body.innerHTML = markup;
  return document.body.firstElementChild as Element;
}

/** Presses a key and holds it; how often it was heard, and whether the browser goes on with what it does by itself. */
function hold(target: Element, stroke: KeyboardEventInit) {
  heard = [];
  const press = (repeat: boolean) =>
    target.dispatchEvent(new KeyboardEvent('keydown', { ...stroke, repeat, bubbles: true, cancelable: true }));
  press(false);
  const goesOn = press(true);
  return { times: heard.length, goesOn };
}

const once = { times: 1, goesOn: false };
const again = { times: 2, goesOn: true };

describe('a held key', () => {
  const all = Object.entries(shortcuts).flatMap(([name, { keys }]) =>
    strokesOf(keys).map((stroke) => ({ name: name as ShortcutName, stroke })),
  );
  const field = '<input type="text" value="SN1" />';

  it('walks every shortcut', () => {
    expect(all.length).toBeGreaterThan(20);
  });
  it.each(all)('counts once as $name, unless it moves', ({ name, stroke }) => {
    const row = put('<div tabindex="0"></div>');
    expect(hold(row, stroke)).toEqual(moving.includes(name) ? again : once);
  });
  it.each(all.filter((it) => it.stroke.altKey || it.stroke.key === 'Enter' || it.stroke.key === 'Escape'))(
    'counts once as $name in a field too, unless it moves',
    ({ name, stroke }) => {
      expect(hold(put(field), stroke)).toEqual(moving.includes(name) ? again : once);
    },
  );
  it('takes the last scan back once from an empty scan field, and letter by letter in a text', () => {
    const undo = { key: 'z', ctrlKey: true };
    expect(hold(put('<input type="text" />'), undo)).toEqual(once);
    expect(hold(put(field), undo)).toEqual(again);
  });
  it.each(['a', 'Backspace', 'Delete', ' ', '?'])('goes on writing %s', (key) => {
    expect(hold(put(field), { key })).toEqual(again);
  });
  it('goes on with new lines, and sends them once', () => {
    const text = put('<textarea></textarea>');
    expect(hold(text, { key: 'Enter' })).toEqual(again);
    expect(hold(text, { key: 'Enter', ctrlKey: true })).toEqual(once);
  });
  it('presses a button once', () => {
    const button = put('<button></button>');
    expect(hold(button, { key: 'Enter' })).toEqual(once);
    expect(hold(button, { key: ' ' })).toEqual({ times: 1, goesOn: true });
    expect(hold(put('<div tabindex="0"></div>'), { key: 'Delete' })).toEqual(once);
  });
});
