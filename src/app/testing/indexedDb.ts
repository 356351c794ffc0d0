import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';

// What jsdom lacks: empty for each file that asks for it; `setup.ts` takes it away again.
Object.assign(globalThis, { indexedDB: new IDBFactory() });
