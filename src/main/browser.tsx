import { listenForErrors } from '#app/errorLog.ts';
import { preload } from '#app/preload.ts';
import { chooseLanguage, currentLanguage, currentToken } from '#app/session.ts';
import { loadWords } from '#app/words/load.ts';

listenForErrors();
chooseLanguage(currentLanguage.get());
// Each part is a task of its own for the browser: the first script only calls for them.
const product = import('#main/browserStart.tsx');
const words = loadWords(currentLanguage.get());
if (currentToken.get() !== '') preload(location.pathname, () => import('#main/browserModules.tsx'));

const root = document.getElementById('root');
if (root) void Promise.all([product, words]).then(([{ start }]) => setTimeout(start, 0, root));
