import { find } from '#server/find/contract.ts';
import { findByNumber } from '#server/find/find.ts';
import { route, type Route } from '#server/route.ts';

export const findRoutes: readonly Route[] = [route(find, findByNumber)];
