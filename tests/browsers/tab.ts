/** One page of a browser, as much as both protocols can do. */
export interface Tab {
  open: (url: string) => Promise<void>;
  /** Runs a function in the page, which knows nothing of what stands around it, and gives what it answers. */
  run: <Args extends unknown[], Answer>(inPage: (...args: Args) => Answer, ...args: Args) => Promise<Awaited<Answer>>;
  /** Presses keys one after the other, with so many milliseconds between two. */
  press: (keys: readonly string[], gap?: number) => Promise<void>;
  /** Presses keys that are held together. */
  chord: (...keys: string[]) => Promise<void>;
  /** Presses the mouse at a point of the window. */
  click: (x: number, y: number) => Promise<void>;
}

export interface Browser {
  tab: Tab;
  /** Where what it downloads arrives, if whoever drives it gets files. */
  downloads?: string;
  /** Where what it prints arrives, if it prints to a file. */
  prints?: string;
  close: () => Promise<void>;
}

/** Keys without a letter, by the names of both protocols. */
export const keys = { Tab: '\uE004', Enter: '\uE007', Control: '\uE009', Escape: '\uE00C' } as const;

/** What a page runs: an expression whose value is a promise of JSON. */
export const expressionOf = (inPage: (...args: never[]) => unknown, args: readonly unknown[]): string =>
  `Promise.resolve((${inPage.toString()})(...${JSON.stringify(args)})).then((it) => JSON.stringify(it ?? null))`;

/** Keys as both protocols take them: down, up, and a pause before the next. */
export function keyActions(pressed: readonly string[], gap: number) {
  const actions = pressed.flatMap((value, i) => [
    ...(i > 0 && gap > 0 ? [{ type: 'pause', duration: gap }] : []),
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ]);
  return [{ type: 'key', id: 'keys', actions }];
}

/** Keys that are held together. */
export function chordActions(pressed: readonly string[]) {
  const down = pressed.map((value) => ({ type: 'keyDown', value }));
  const up = pressed.toReversed().map((value) => ({ type: 'keyUp', value }));
  return [{ type: 'key', id: 'keys', actions: [...down, ...up] }];
}

export function clickActions(x: number, y: number) {
  const move = { type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0 };
  const actions = [move, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }];
  return [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }];
}
