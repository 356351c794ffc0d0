import { FeaturesProvider, type Features } from '#app/features.ts';
import { ModuleRoutes } from '#app/shell/ModuleRoutes.tsx';
import { dialogs } from '#features/dialogs.ts';
import { pages } from '#features/pages.ts';

export const features: Features = { pages, dialogs };

/** The views of a menu entry, with what the features bring to them; the registers come with them, not with the first page. */
export default function Modules() {
  return (
    <FeaturesProvider value={features}>
      <ModuleRoutes />
    </FeaturesProvider>
  );
}
