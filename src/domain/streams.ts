/** How often a stream says that it lives, when there is no news. */
export const BEAT_MS = 15_000;
/** No more often is told how far a long call is. */
export const PROGRESS_MS = 200;
