import { listenForErrors } from '#app/errorLog.ts';
import { preload } from '#app/preload.ts';
import { chooseLanguage, currentLanguage, currentToken } from '#app/session.ts';

listenForErrors();
chooseLanguage(currentLanguage.get());
// Each part is a task of its own for the browser: the first script only calls for them.
const product = import('#main/browserStart.tsx');
if (currentToken.get() !== '') preload(location.pathname, () => import('#main/browserModules.tsx'));

const root = document.getElementById('root');
if (root) void product.then(({ start }) => setTimeout(start, 0, root));
