/** A name as SQL reads it. Names come from checked definitions; they are quoted all the same. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
/** A text as SQL reads it. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
