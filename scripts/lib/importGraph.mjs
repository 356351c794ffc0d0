// Which file imports which: read from the sources, without a build and before anything is installed.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

const FOLDERS = ['src', 'tests', 'bench', 'scripts'];
const DATA_FOLDERS = ['definitions', 'i18n'];
const SOURCE = /\.(?:tsx?|mts|mjs)$/;

/**
 * The files of this repository that each source and test file needs when it runs: its imports, static and dynamic, what it
 * re-exports, what it reads by `new URL('./x', import.meta.url)` or `import.meta.glob`, and what it names by an alias. Types
 * alone are nothing that runs.
 * @param {string} root
 * @returns {Map<string, string[]>} paths with `/` from the root; in the order of their names
 */
export function readImportGraph(root) {
  const sources = FOLDERS.flatMap((it) => filesUnder(root, it)).filter((it) => SOURCE.test(it));
  const data = Object.fromEntries(DATA_FOLDERS.map((it) => [it, filesUnder(root, it)]));
  const files = new Set([...FOLDERS.flatMap((it) => filesUnder(root, it)), ...Object.values(data).flat()]);
  const aliases = aliasesOf(root);
  const graph = new Map();
  for (const file of sources) {
    const { names, globs } = namesIn(readFileSync(join(root, file), 'utf8'));
    const named = names.map((it) => resolve(file, it, aliases));
    const found = named.filter((it) => it !== file && files.has(it));
    for (const folder of DATA_FOLDERS) if (named.includes(folder)) found.push(...data[folder]);
    for (const glob of globs) {
      const pattern = patternOf(glob.startsWith('/') ? glob.slice(1) : posix.join(posix.dirname(file), glob));
      for (const it of files) if (it !== file && pattern.test(it)) found.push(it);
    }
    graph.set(file, [...new Set(found)].sort());
  }
  return graph;
}

/**
 * How many imports lie between these files and each one that needs them; the files themselves are at 0.
 * @param {Map<string, string[]>} graph
 * @param {string[]} files
 * @returns {Map<string, number>}
 */
export function distancesTo(graph, files) {
  const importers = new Map();
  for (const [file, needed] of graph) {
    for (const it of needed) {
      if (!importers.has(it)) importers.set(it, []);
      importers.get(it).push(file);
    }
  }
  const distances = new Map(files.map((it) => [it, 0]));
  for (const [file, distance] of distances) {
    for (const it of importers.get(file) ?? []) if (!distances.has(it)) distances.set(it, distance + 1);
  }
  return distances;
}

/**
 * What a source names.
 * @param {string} source
 * @returns {{ names: string[], globs: string[] }} specifiers as they are written, and patterns
 */
export function namesIn(source) {
  const { code, strings } = stripped(source);
  const types = new Set();
  const names = [];
  const globs = [];
  for (const [, what, i] of code.matchAll(/\b(?:import|export)\b([\w\s$,*{}]*?)\bfrom\s*'(\d+)'/g)) {
    if (isTypesAlone(what.trim())) types.add(i);
    else names.push(strings[i]);
  }
  for (const [, i] of code.matchAll(/\btypeof import\(\s*'(\d+)'/g)) types.add(i);
  for (const [, i] of code.matchAll(/(?<!typeof )\bimport\s*\(?\s*'(\d+)'/g)) names.push(strings[i]);
  for (const [, i] of code.matchAll(/\bnew URL\(\s*'(\d+)',\s*import\.meta\.url/g)) {
    names.push(strings[i].startsWith('.') ? strings[i] : `./${strings[i]}`);
  }
  for (const [, list] of code.matchAll(/\bimport\.meta\.glob(?:<[^>]*>)?\(\s*(\[[^\]]*\]|'\d+')/g)) {
    for (const [, i] of list.matchAll(/'(\d+)'/g)) globs.push(strings[i]);
  }
  // Whoever reads the folder of the definitions or of the languages needs all that is in it.
  for (const [, i] of code.matchAll(/\bjoin\(ROOT,\s*'(\d+)'/g)) names.push(`/${strings[i]}`);
  // A path that stands in a variable first, or is the module of a `vi.mock`.
  strings.forEach((it, i) => /^#\w+\/\S+$/.test(it) && !types.has(String(i)) && names.push(it));
  return { names, globs };
}

/** `import type …`, and braces in which everything is a type. */
function isTypesAlone(what) {
  if (/^type\b(?!\s*,)/.test(what) && what !== 'type') return true;
  return /^\{(?:\s*type\s[^,{}]*,?)+\s*\}$/.test(what);
}

const SLASH = String.raw`\/(?<=(?:[=(,:[!&|?;{}]|=>|\breturn|^)\s*\/)(?![*/>])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*`;
const QUOTED = String.raw`'(?:[^'\\\n]|\\[^])*'|"(?:[^"\\\n]|\\[^])*"`;
const TOKEN = new RegExp(String.raw`\/\/.*|\/\*[^]*?\*\/|${QUOTED}|${SLASH}|${'`'}`, 'gm');
const TOKEN_OR_BRACE = new RegExp(String.raw`${TOKEN.source}|[{}]`, 'gm');
const TEMPLATE_TEXT = /(?:[^`\\$]|\\[^]|\$(?!\{))*(?:`|\$\{|$)/y;

/** The code without comments, texts and regular expressions; each string is the number under which it is kept. */
export function stripped(source) {
  const strings = [];
  // How many braces are open in each `${` that is.
  const open = [];
  let code = '';
  let at = 0;
  for (;;) {
    const token = open.length > 0 ? TOKEN_OR_BRACE : TOKEN;
    token.lastIndex = at;
    const match = token.exec(source);
    if (!match) return { code: code + source.slice(at), strings };
    const [text] = match;
    code += source.slice(at, match.index);
    at = match.index + text.length;
    if (text[0] === "'" || text[0] === '"') code += `'${strings.push(text.slice(1, -1)) - 1}'`;
    else if (text === '{') code += (open.push(open.pop() + 1), text);
    else if (text === '}' && open.at(-1) > 0) code += (open.push(open.pop() - 1), text);
    else if (text === '`' || text === '}') {
      if (text === '}') open.pop();
      code += ' ';
      TEMPLATE_TEXT.lastIndex = at;
      const [template] = TEMPLATE_TEXT.exec(source);
      at += template.length;
      if (template.endsWith('${')) open.push(0);
    } else code += ' ';
  }
}

/** @returns {[string, string][]} `['#app/', 'src/app/']` */
function aliasesOf(root) {
  const { imports = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.entries(imports).map(([from, to]) => [
    from.replace(/\*$/, ''),
    to.replace(/^\.\//, '').replace(/\*$/, ''),
  ]);
}

function resolve(file, name, aliases) {
  const path = name.replace(/\?.*$|\/$/, '');
  if (path.startsWith('/')) return path.slice(1);
  if (path.startsWith('.')) return posix.join(posix.dirname(file), path);
  const alias = aliases.find(([from]) => path.startsWith(from));
  return alias ? posix.join(alias[1], path.slice(alias[0].length)) : undefined;
}

function patternOf(glob) {
  const parts = glob
    .replace(/[.+^$()|[\]\\]/g, '\\$&')
    .replace(/\{([^}]*)\}/g, (_, it) => `(?:${it.replaceAll(',', '|')})`);
  return new RegExp(`^${parts.replace(/\*\*\/|\*/g, (it) => (it === '*' ? '[^/]*' : '(?:.*/)?'))}$`);
}

function filesUnder(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((it) => (it.isDirectory() ? filesUnder(root, posix.join(folder, it.name)) : [posix.join(folder, it.name)]))
    .sort();
}
