import * as util from 'node:util';

/**
 * What the command line asks for, by name; `words` are what is no option. With `--help` it tells the usage; what it does
 * not know ends it with the usage, before anything has begun.
 * @param {string} usage
 * @param {Record<string, true | RegExp>} known what each option may be; true where it is there or not
 * @param {(word: string) => boolean} isWord
 */
export function readOptions(usage, known = {}, isWord = () => false) {
  const types = Object.entries(known).map(([name, it]) => [name, { type: it === true ? 'boolean' : 'string' }]);
  const options = { ...Object.fromEntries(types), help: { type: 'boolean' } };
  const refuse = (why) => end(1, `reflow: ${why}.\n${usage}`);
  let asked;
  try {
    // By its name in the module: a Node too old to have it gets as far as the sentence about its age.
    asked = util.parseArgs({ options, allowPositionals: true });
  } catch (error) {
    // The sentence behind it tells of words that begin with a dash, which nothing here has.
    refuse(error.message.split('. ')[0]);
  }
  const { values, positionals: words } = asked;
  if (values.help) end(0, usage);
  const wrong = Object.entries(values).find(([name, value]) => known[name] !== true && !known[name].test(value));
  if (wrong) refuse(`--${wrong[0]} can't be ${JSON.stringify(wrong[1])}`);
  const stray = words.find((it) => !isWord(it));
  if (stray !== undefined) refuse(`${JSON.stringify(stray)} is not known`);
  return { values, words };
}

function end(code, said) {
  (code === 0 ? console.log : console.error)(said);
  process.exit(code);
}
