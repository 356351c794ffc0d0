/** Of a command that takes none: what somebody writes behind it is no wish that it knows, and nothing has begun. */
export function refuseWords(usage: string): void {
  const [word] = process.argv.slice(2);
  if (word === undefined) return;
  process.stderr.write(`reflow: ${word} is not known; it is ${usage}, with nothing behind it\n`);
  process.exit(1);
}
