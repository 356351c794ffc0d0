/** The environment of a server under test: a machine that is busy with other tests may let it wait. */
export const UNHURRIED = { PATIENCE: '10', SEARCH_MS: '60000' };
