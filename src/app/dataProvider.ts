import type { DataProvider } from 'ra-core';
import { loadOnce } from '#app/loadOnce.ts';
import type { EngineProvider } from '#app/moduleProvider.ts';

export type { EngineProvider };

/** Resources of the house's own under `/rest`; every other one is a menu number. */
const restResources: readonly string[] = ['errors', 'jobs'];

export const loadCalls = loadOnce(() => import('#app/moduleProvider.ts'));

/**
 * What answers react-admin: a module's calls, and the simple REST provider for what lies under `/rest`. The sign-in page
 * calls neither, so both come with what is behind it.
 */
export const dataProvider = new Proxy({} as EngineProvider, {
  get: (_, name: string) =>
    // The one name that react-admin looks for and that is no call.
    name === 'supportAbortSignal'
      ? undefined
      : async (resource: string, ...given: unknown[]) => {
          const provider: DataProvider = restResources.includes(resource)
            ? (await import('#app/restProvider.ts')).restProvider
            : (await loadCalls()).modules;
          return (provider[name] as (resource: string, ...given: unknown[]) => Promise<unknown>)(resource, ...given);
        },
});
