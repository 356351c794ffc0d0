/** Of a command that takes none: what somebody writes behind it is no wish that it knows, and nothing has begun. */
export function refuseWords(usage: string): void {
  const [word] = process.argv.slice(2);
  if (word === undefined) return;
  console.error(`reflow: ${word} is not known; it is ${usage}, with nothing behind it`);
  process.exit(1);
}
