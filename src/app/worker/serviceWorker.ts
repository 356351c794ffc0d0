import { type Build, keepClient, type WorkerScope } from '#app/worker/worker.ts';

/** Put in by the build. */
declare const BUILD: Build;

keepClient(globalThis as unknown as WorkerScope, BUILD);
