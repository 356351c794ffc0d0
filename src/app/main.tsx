import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import { App } from '#app/App.tsx';
import { foresee } from '#app/chunks.ts';
import { listenForErrors } from '#app/errorLog.ts';
import { chooseLanguage, currentLanguage, currentToken } from '#app/session.ts';

listenForErrors();
chooseLanguage(currentLanguage.get());
if (currentToken.get() !== '') foresee(location.pathname);

const router = createBrowserRouter([{ path: '*', element: <App /> }]);
const root = document.getElementById('root');
if (root) {
  // As a transition, so that the browser gets its turns while the first page is drawn.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <RouterProvider router={router} />
      </StrictMode>,
    ),
  );
}
