export type Load<Part> = () => Promise<Part>;

/**
 * What is loaded already is given at once. React waits for each promise anew, shows what stands in the place meanwhile and
 * keeps that for a third of a second, even where it is loaded.
 */
export function loadOnce<Part>(load: Load<Part>): Load<Part> {
  let loaded: Part | undefined;
  const given = { then: (give: (part: Part) => void) => give(loaded as Part) } as Promise<Part>;
  return () => (loaded === undefined ? load().then((it) => (loaded = it)) : given);
}
