import { features } from '#main/serverFeatures.ts';
import { workJobs } from '#server/jobs/thread.ts';

/** The thread that works jobs; `#server/jobs/host.ts` starts it. */
await workJobs(features);
