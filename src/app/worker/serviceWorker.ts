import { type Build, cacheClient, type WorkerScope } from '#app/worker/worker.ts';

/** Put in by the build. */
declare const BUILD: Build;

cacheClient(globalThis as unknown as WorkerScope, BUILD);
