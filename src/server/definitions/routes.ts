import { definitionVersion } from '#domain/definitionVersion.ts';
import { route, type Route } from '#server/route.ts';

/** What open pages follow. Rule: definitions#publishing. */
export const definitionRoutes: readonly Route[] = [
  route(definitionVersion, async (_, { definitions }) => ({ last: definitions.last() })),
];
