import { FeaturesProvider, type Features, type Load } from '#app/features.ts';
import { loadFeatureWords } from '#app/i18nProvider.ts';
import { ModuleRoutes } from '#app/shell/ModuleRoutes.tsx';
import { dialogs } from '#features/dialogs.ts';
import { pages } from '#features/pages.ts';
import { recordPages } from '#features/scripts.ts';

/** With the words that it says. */
const withWords = <Props,>(all: Readonly<Record<string, Load<Props>>>): Record<string, Load<Props>> =>
  Object.fromEntries(
    Object.entries(all).map(([name, load]) => [name, async () => (await Promise.all([load(), loadFeatureWords()]))[0]]),
  );

export const features: Features = { pages: withWords(pages), recordPages, dialogs: withWords(dialogs) };

/** The views of a menu entry, with what the features bring to them; the registers come with them, not with the first page. */
export default function Modules() {
  return (
    <FeaturesProvider value={features}>
      <ModuleRoutes />
    </FeaturesProvider>
  );
}
