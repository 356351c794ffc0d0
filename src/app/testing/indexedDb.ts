import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { delayWrites } from '#app/testing/delays.ts';

// What jsdom lacks: empty for each file that asks for it; `setup.ts` takes it away again.
Object.assign(globalThis, { indexedDB: new IDBFactory() });
delayWrites();
