import { hooks } from '#features/hooks.ts';
import { imports } from '#features/imports.ts';
import { jobs } from '#features/jobs.ts';
import { routes } from '#features/routes.ts';
import { dialogScripts, pageScripts } from '#features/scripts.ts';
import type { Features } from '#server/features.ts';

/** The registers of the features, as the server is handed them. */
export const features: Features = { routes, hooks, jobs, imports, pageScripts, dialogScripts };
