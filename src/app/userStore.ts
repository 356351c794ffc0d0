import { localStorageStore, memoryStore, type Store } from 'ra-core';
import { i18nProvider } from '#app/i18nProvider.ts';
import { currentUser } from '#app/session.ts';

/**
 * What `useStore` keeps is a user's on this device and outlives the session; before anybody is known nothing is kept.
 * react-admin empties the store at a sign-out: then it is nobody's any more, and what each user kept stays. Its entry
 * `locale` is the language that the product speaks.
 */
export function createUserStore(userId: string | undefined): Store {
  const store = userId === undefined ? memoryStore() : localStorageStore('1', `:${encodeURIComponent(userId)}:`);
  return {
    ...store,
    getItem: <T>(key: string, fallback?: T) => (key === 'locale' ? fallback : store.getItem<T>(key, fallback)),
    setItem: (key, value) => {
      if (key === 'locale') void i18nProvider.changeLocale(String(value));
      else store.setItem(key, value);
    },
    reset: () => {
      if (currentUser.get()?.userId === userId) store.reset();
    },
  };
}
