/**
 * Who leaves a page breaks off its calls and scripts, some browsers long before the next page is there. What comes of that
 * waits until it is known that the page has stayed. Rule: screens#errors.
 */
let leaving: ReturnType<typeof setTimeout> | undefined;
let held: (() => void)[] = [];
/** No page takes longer to be answered. */
const LEAVING_MS = 30_000;

/** Acts at once where nobody leaves, and never where the page is gone. */
export function onceStayed(action: () => void): void {
  if (leaving === undefined) action();
  else held.push(action);
}

/** Looks when the page is left; gives how to stop. */
export function watchLeaving(): () => void {
  window.addEventListener('beforeunload', leave);
  window.addEventListener('pagehide', forgetHeld);
  window.addEventListener('pageshow', stay);
  return () => {
    stay();
    window.removeEventListener('beforeunload', leave);
    window.removeEventListener('pagehide', forgetHeld);
    window.removeEventListener('pageshow', stay);
  };
}

function leave(): void {
  clearTimeout(leaving);
  leaving = setTimeout(stay, LEAVING_MS);
}

function stay(): void {
  clearTimeout(leaving);
  leaving = undefined;
  for (const action of held.splice(0)) action();
}

/** It is gone, or put aside to come back as it was. */
function forgetHeld(): void {
  held = [];
  leave();
}
