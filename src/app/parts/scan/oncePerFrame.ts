import { createObservable, type Observable } from '#app/observable.ts';

/** A store as the screen follows it. */
export interface FrameObservable<Value> extends Observable<Value> {
  /** Does it when the screen shows what the store holds now. */
  whenDrawn: (work: () => void) => void;
}

/** Nobody waits longer for the next frame, or its rest: a hidden page has none, and a slow one would stand still. */
const LONGEST_WAIT = 100;

/**
 * Whatever changes within one frame is told at once, at its beginning. After a frame that took long the page is left
 * alone for as long again: letters and answers come in before it is drawn the next time.
 */
export function oncePerFrame<Value>(source: Observable<Value>): FrameObservable<Value> {
  const drawn = createObservable(source.get());
  let isAsked = false;
  let isResting = false;
  let works: (() => void)[] = [];
  const ask = () => {
    let isDone = false;
    const draw = () => {
      if (isDone) return;
      isDone = true;
      clearTimeout(timer);
      rest();
      isAsked = false;
      drawn.set(source.get());
      const due = works;
      works = [];
      // React draws what it was told in a microtask of its own, asked for just now.
      if (due.length > 0) queueMicrotask(() => due.forEach((it) => it()));
    };
    const timer = setTimeout(draw, LONGEST_WAIT);
    requestAnimationFrame(draw);
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
  const changed = () => {
    if (isAsked) return;
    isAsked = true;
    if (!isResting) ask();
  };
  return {
    get: drawn.get,
    set: source.set,
    subscribe: (listener) => {
      drawn.set(source.get());
      const leaves = [drawn.subscribe(listener), source.subscribe(() => changed())];
      return () => {
        leaves.forEach((leave) => leave());
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
