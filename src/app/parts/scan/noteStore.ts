import { noteKey, scanDatabase, theDatabase, type Place, type ScanDatabase } from '#app/parts/scan/scanDatabase.ts';

/** What a form at a station holds beside the scans. */
export interface NoteStore {
  read: (place: Place, name: string) => Promise<unknown>;
  write: (place: Place, name: string, value: unknown) => Promise<void>;
  /** Hears that another window has written this note; gives how to stop listening. */
  onWritten: (place: Place, name: string, hear: () => void) => () => void;
}

/** The notes of this browser. */
export const noteStore = notesIn(theDatabase);

/** Those of another database, for tests. */
export const openNoteStore = (name: string): NoteStore => notesIn(scanDatabase(name));

function notesIn(database: ScanDatabase): NoteStore {
  return {
    async read(place, name) {
      const db = await database.open();
      return db.get('notes', noteKey(place, name));
    },
    async write(place, name, value) {
      const db = await database.open();
      const note = noteKey(place, name);
      if (value === undefined) await db.delete('notes', note);
      else await db.put('notes', value, note);
      database.tell({ note });
    },
    onWritten: (place, name, hear) =>
      database.listen((it) => {
        if ('note' in it && it.note === noteKey(place, name)) hear();
      }),
  };
}
