/** Lets so many turns of the event loop pass: whatever is ready by now has had its turn, however busy the machine is. */
export async function turns(count = 20): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((done) => setImmediate(done));
}
