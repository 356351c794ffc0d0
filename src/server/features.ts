import type { HookRegister } from '#server/engine/hooks.ts';
import type { Importer } from '#server/imports/importer.ts';
import type { JobHandler } from '#server/jobs/job.ts';
import type { Route } from '#server/route.ts';

/**
 * What the features bring to the server. Nothing in this room imports a feature: `src/main/serverFeatures.ts` puts the
 * registers of `src/features` together, and `buildApp`, the thread of the jobs and `registersOf` are handed them. A feature
 * adds to it by a line in the register of that name.
 */
export interface Features {
  /** Calls with a path of their own. */
  routes: readonly Route[];
  /** What a module does beyond its definition when a generic call writes its rows. */
  hooks: HookRegister;
  /** Who works jobs of which kind, besides the platform's own. */
  jobs: Readonly<Record<string, JobHandler>>;
  /** Workbooks that are more than new rows of their module, by `module:script`. */
  imports: Readonly<Record<string, Importer>>;
  /** What buttons may name: pages as `module:script`, dialogs also as `*:script`. */
  pageScripts: readonly string[];
  dialogScripts: readonly string[];
}
