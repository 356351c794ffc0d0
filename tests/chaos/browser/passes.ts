/** A moment that nothing on the page announces: a fault comes when it comes. */
export const passes = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
