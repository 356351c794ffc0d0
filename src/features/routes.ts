import type { Route } from '#server/route.ts';

/** Who answers which call: the stations' routes, joined. The app mounts them. */
export const routes: Route[] = [];
