import { features } from '#main/serverFeatures.ts';
import { fixedRoutesOf } from '#server/app.ts';
import { genericActionsOf } from '#server/engine/actions.ts';
import { jobHandlersOf } from '#server/jobs/handlers.ts';

/** The real features, and what the server makes of them. */
export { registers } from '#main/registers.ts';
export { features } from '#main/serverFeatures.ts';
export const fixedRoutes = fixedRoutesOf(features);
export const genericActions = genericActionsOf(features);
export const jobHandlers = jobHandlersOf(features);
