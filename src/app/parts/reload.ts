/** Loads the page anew. */
export const reload = (): void => location.reload();
