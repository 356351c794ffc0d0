import { MENU } from '#domain/definition/overlay.ts';
import type { PageProps } from '#app/parts/page.ts';
import ConfigurePage from './ConfigurePage.tsx';

/** The editor of the menu, in the draft that one works on. Rule: definitions#published-changes. */
export default function ConfigureMenuPage(page: PageProps) {
  return <ConfigurePage {...page} id={MENU} />;
}
