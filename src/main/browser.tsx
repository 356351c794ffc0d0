import { listenForErrors } from '#app/errorLog.ts';
import { loadOnce } from '#app/loadOnce.ts';
import { preload } from '#app/preload.ts';
import { chooseLanguage, currentLanguage, currentToken } from '#app/session.ts';
import { loadWords } from '#app/words/load.ts';

listenForErrors();
chooseLanguage(currentLanguage.get());

function open(root: HTMLElement): void {
  // Each part is a task of its own for the browser: the first script only calls for them.
  const product = import('#main/browserStart.tsx');
  const words = loadWords(currentLanguage.get());
  const modules = loadOnce(() => import('#main/browserModules.tsx'));
  const ahead = currentToken.get() === '' ? undefined : preload(location.pathname, modules);
  void Promise.all([product, words]).then(([{ start }]) => setTimeout(() => void start(root, modules, ahead)));
}

const root = document.getElementById('root');
// The kit's own page is none of the product: what is built has neither the page nor this branch.
if (root && import.meta.env.DEV && location.pathname === '/parts') {
  void import('#main/parts.tsx').then(({ startParts }) => startParts(root));
} else if (root) open(root);
