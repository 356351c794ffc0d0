import { listenForErrors } from '#app/errorLog.ts';
import { foresee } from '#app/foresee.ts';
import { chooseLanguage, currentLanguage, currentToken } from '#app/session.ts';

listenForErrors();
chooseLanguage(currentLanguage.get());
// Each part is a task of its own for the browser: the first script only calls for them.
const product = import('#main/browserStart.tsx');
if (currentToken.get() !== '') foresee(location.pathname, () => import('#main/browserModules.tsx'));

const root = document.getElementById('root');
if (root) void product.then(({ start }) => setTimeout(start, 0, root));
