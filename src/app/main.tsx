import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import { App } from '#app/App.tsx';
import { chooseLanguage, currentLanguage } from '#app/session.ts';

chooseLanguage(currentLanguage.get());

const router = createBrowserRouter([{ path: '*', element: <App /> }]);
const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  );
}
