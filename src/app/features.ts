import { createContext, useContext, type ComponentType } from 'react';
import { createObservable } from '#app/observable.ts';
import type { DialogProps } from '#app/parts/dialog.ts';
import type { PageProps } from '#app/parts/page.ts';

export type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/**
 * What the features bring to the browser. Nothing in this room imports a feature: `src/main/browserModules.tsx` hands the
 * registers of `src/features` in. A feature adds to it by a line in the register of that name.
 */
export interface Features {
  /** Pages that stand in place of a view, by `module:script`; each is loaded when it is first opened. */
  pages: Readonly<Record<string, Load<PageProps>>>;
  /** Those of them that show one record. */
  recordPages: ReadonlySet<string>;
  /** Dialogs that a button opens over its list, by `module:script` or `*:script`; each is loaded when it is first opened. */
  dialogs: Readonly<Record<string, Load<DialogProps>>>;
}

const FeaturesContext = createContext<Features | null>(null);

export const FeaturesProvider = FeaturesContext.Provider;

export function useFeatures(): Features {
  const features = useContext(FeaturesContext);
  if (!features) throw new Error('No features: a FeaturesProvider is missing');
  return features;
}

/** The names of the pages alone, as `module:script`: the palette looks for them before any of the registers is needed. */
export const pageNames = createObservable<() => Promise<readonly string[]>>(() => Promise.resolve([]));
