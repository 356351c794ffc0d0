import {
  noteKey,
  scanDatabase,
  theDatabase,
  type StationScope,
  type ScanDatabase,
} from '#app/parts/scan/scanDatabase.ts';

/** What a form at a station holds beside the scans. */
export interface NoteStore {
  read: (scope: StationScope, name: string) => Promise<unknown>;
  write: (scope: StationScope, name: string, value: unknown) => Promise<void>;
  /** Hears that another window has written this note; gives how to stop listening. */
  onWritten: (scope: StationScope, name: string, listener: () => void) => () => void;
}

/** The notes of this browser. */
export const noteStore = notesIn(theDatabase);

/** Those of another database, for tests. */
export const openNoteStore = (name: string): NoteStore => notesIn(scanDatabase(name));

export function notesIn(database: ScanDatabase): NoteStore {
  return {
    read: (scope, name) => database.readNote(noteKey(scope, name)),
    write: (scope, name, value) => database.writeNote(noteKey(scope, name), value),
    onWritten: (scope, name, listener) =>
      database.listen((it) => {
        if ('note' in it && it.note === noteKey(scope, name)) listener();
      }),
  };
}
