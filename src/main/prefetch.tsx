import { configuration } from '#app/configuration.ts';
import { keepEarlyKeys } from '#app/earlyKeys.ts';
import { prefetch } from '#app/prefetch.ts';

/** The words of each language, as the build calls their scripts; none while nothing is built. */
declare const WORDS: Readonly<Record<string, string>>;

// Stands in the page itself: it may not keep the page from opening.
try {
  window.earlyKeys = keepEarlyKeys();
  window.prefetched = prefetch(configuration.baseUrl);
  const words = WORDS[localStorage.getItem('local') === 'en' ? 'en' : 'zh'];
  if (words) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = words;
    document.head.append(link);
  }
} catch {
  // The page asks for everything itself.
}
