import { lazy, startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import { App } from '#app/App.tsx';
import { i18nProvider } from '#app/i18nProvider.ts';
import { currentLanguage } from '#app/session.ts';

const Modules = lazy(() => import('#main/browserModules.tsx'));

/** Draws the product into its place in the page, in words that are on their way already. */
export async function start(root: HTMLElement): Promise<void> {
  await i18nProvider.changeLocale(currentLanguage.get());
  const router = createBrowserRouter([{ path: '*', element: <App Modules={Modules} /> }]);
  // As a transition, so that the browser gets its turns while the first page is drawn.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <RouterProvider router={router} />
      </StrictMode>,
    ),
  );
}
