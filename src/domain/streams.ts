/** How often a stream says that it lives, when there is no news. */
export const BEAT_MS = 15_000;
