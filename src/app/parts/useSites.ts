import type { Option } from '#app/parts/choiceProps.ts';
import { useBaseChoices, type BaseChoices } from '#app/parts/useBaseChoices.ts';

/** All sites of the product, to choose one from. */
export function useSites(): Omit<BaseChoices, 'options'> & { sites: Option[] } {
  const { options, ...rest } = useBaseChoices('ubsSite', 'siteId', 'siteName');
  return { sites: options, ...rest };
}
