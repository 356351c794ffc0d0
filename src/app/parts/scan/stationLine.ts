import { createContext, useContext } from 'react';

/** The large line of the station around a part; a page without one says what is wrong at the field alone. */
export const StationErrorContext = createContext<(text: string) => void>(() => undefined);

/** Tells in the large line, with its sound, what is wrong with what was entered, or by nothing that it no longer is: nobody reads a field from two metres. */
export const useShowError = (): ((text: string) => void) => useContext(StationErrorContext);
