/** What changes at any time, and the screen follows frame by frame. */
export interface FrameStore<Value> {
  get: () => Value;
  set: (value: Value) => void;
  /** What the screen was told last. */
  drawn: () => Value;
  /** Hears of what was changed within a frame. */
  subscribe: (listener: () => void) => () => void;
  /** Does it when the screen shows what the store holds now. */
  whenDrawn: (work: () => void) => void;
}

/** Nobody waits longer for the next frame, or its rest: a hidden page has none, and a slow one would stand still. */
const LONGEST_WAIT = 100;

/**
 * Whatever changes within one frame is told at once, at its beginning. After a frame that took long the page is left
 * alone for as long again: letters and answers come in before it is drawn the next time.
 */
export function oncePerFrame<Value>(first: Value): FrameStore<Value> {
  let value = first;
  let drawn = first;
  let isAsked = false;
  let isResting = false;
  let works: (() => void)[] = [];
  const listeners = new Set<() => void>();
  const ask = () => {
    let isDone = false;
    const draw = () => {
      if (isDone) return;
      isDone = true;
      clearTimeout(timer);
      rest();
      isAsked = false;
      tell();
      const due = works;
      works = [];
      // React draws what it was told in a microtask of its own, asked for just now.
      if (due.length > 0) queueMicrotask(() => due.forEach((it) => it()));
    };
    const timer = setTimeout(draw, LONGEST_WAIT);
    requestAnimationFrame(draw);
  };
  const tell = () => {
    if (Object.is(drawn, value)) return;
    drawn = value;
    listeners.forEach((it) => it());
  };
  const rest = () => {
    isResting = true;
    const began = performance.now();
    setTimeout(() => {
      setTimeout(
        () => {
          isResting = false;
          if (isAsked) ask();
        },
        Math.min(LONGEST_WAIT, performance.now() - began),
      );
    });
  };
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      if (listeners.size === 0 || isAsked) return;
      isAsked = true;
      if (!isResting) ask();
    },
    drawn: () => drawn,
    subscribe: (listener) => {
      tell();
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        // A page that has gone is not drawn again.
        isAsked = false;
        works = [];
      };
    },
    whenDrawn: (work) => {
      if (isAsked) works.push(work);
      else work();
    },
  };
}
