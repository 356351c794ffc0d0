import { type ComponentType, lazy, startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import { App } from '#app/App.tsx';
import { pageNames } from '#app/features.ts';
import { createClient } from '#app/queryClient.ts';
import { i18nProvider } from '#app/i18nProvider.ts';
import { currentLanguage, currentToken } from '#app/session.ts';
import { prefetchSession } from '#app/shell/Guard.tsx';
import { stopHeldKeys } from '#app/shell/heldKeys.ts';

const PATIENCE_MS = 1000;

type Modules = () => Promise<{ default: ComponentType }>;

/** Draws the product into its place in the page, in words that are on their way already, as what the address needs is. */
export async function start(root: HTMLElement, modules: Modules, parts?: Promise<unknown>): Promise<void> {
  await i18nProvider.changeLocale(currentLanguage.get());
  const Modules = lazy(modules);
  const client = createClient();
  // Before any page, whose own listeners must not be asked first.
  stopHeldKeys();
  pageNames.set(async () => (await import('#features/scripts.ts')).pageScripts);
  const session = window.prefetched?.isSignedIn.then((it) => it && currentToken.get() && prefetchSession(client));
  // With all of it the first drawing is the page; what comes too late finds a skeleton.
  const late = new Promise((done) => setTimeout(done, PATIENCE_MS));
  if (parts) await Promise.race([Promise.all([parts, session]), late]);
  const router = createBrowserRouter([{ path: '*', element: <App Modules={Modules} client={client} /> }]);
  // As a transition, so that the browser gets its turns while the first page is drawn.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <RouterProvider router={router} />
      </StrictMode>,
    ),
  );
}
