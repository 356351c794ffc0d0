// The one-line faults that npm run mutations plants: which there are in a file, and how some are chosen.
import { parseSync } from 'vite';

/** By the first that fits, of the product's files. */
const ROOMS = {
  definitions: /^definitions\/[^/]+\/[^/]+\.json$/,
  contracts: /^src\/.*\/contract[^/]*\.ts$/,
  components: /^src\/.*\.tsx$/,
  queries: /^src\/.*\/queries[^/]*\.ts$/,
  rules: /^src\/domain\/.*\.ts$|^src\/.*\/rules[^/]*\.ts$/,
  calls: /^src\/server\/.*\.ts$|^src\/.*\/server[^/]*\.ts$/,
};
/** What is tested by hand, by looking, or never again. */
const APART = /\.test\.|\.d\.ts$|\/(?:demo|testing|gallery|migrations|words)\//;

const ROOM_NAMES = Object.keys(ROOMS);

/** @param {string} file its path from the root @returns {string | undefined} */
export const roomOf = (file) => (APART.test(file) ? undefined : ROOM_NAMES.find((it) => ROOMS[it].test(file)));

/** mulberry32. @param {number} seed @returns {() => number} from 0 to 1, the same for the same seed */
function numbersOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** @template T @param {T[]} list @param {() => number} random @returns {T[]} */
function shuffled(list, random) {
  const left = [...list];
  for (let i = left.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [left[i], left[j]] = [left[j], left[i]];
  }
  return left;
}

/**
 * The faults of a file, a kind as likely to be the first as another.
 * @param {string} file
 * @param {string} source
 * @param {() => number} random
 */
function shuffledMutants(file, source, random) {
  const all = shuffled(mutantsOf(file, source), random);
  const first = new Map(all.map((it) => [it.kind, it]));
  return [...new Set([...shuffled([...first.values()], random), ...all])];
}

/**
 * So many faults, a room after the other, each in another file. Those that do not compile are chosen anew, twice.
 * @param {string[]} files
 * @param {(file: string) => string} read
 * @param {{ seed: number, count: number }} wanted
 * @param {(mutants: object[]) => Promise<Set<string>>} wrong the files that do not compile with all of them
 * @returns {Promise<object[]>} `untyped`: the last look found that it does not compile
 */
export async function chooseMutants(files, read, { seed, count }, wrong) {
  const random = numbersOf(seed);
  const left = ROOM_NAMES.map((room) => ({
    room,
    files: shuffled(
      files.filter((it) => roomOf(it) === room),
      random,
    ),
  }));
  const slots = [];
  while (slots.length < count && left.some((it) => it.files.length > 0)) {
    for (const it of left) {
      while (it.files.length > 0 && slots.length < count) {
        const file = it.files.shift();
        const mutants = shuffledMutants(file, read(file), random);
        if (mutants.length === 0) continue;
        slots.push({ room: it.room, file, mutants });
        break;
      }
    }
  }
  const chosen = slots.map(({ room, file, mutants }, i) => ({ number: i + 1, room, file, ...mutants[0] }));
  for (let round = 0; ; round++) {
    const bad = await wrong(chosen);
    if (bad.size === 0 || round === 2) return chosen.map((it) => ({ ...it, untyped: bad.has(it.file) }));
    slots.forEach(({ file, mutants }, i) => {
      if (bad.has(file) && mutants.length > 1) Object.assign(chosen[i], (mutants.shift(), mutants[0]));
    });
  }
}

/** @param {string} source @param {{ at: number, from: string, to: string }} mutant */
export const planted = (source, { at, from, to }) => source.slice(0, at) + to + source.slice(at + from.length);

/**
 * Every one-line fault of a file.
 * @param {string} file
 * @param {string} source
 * @returns {{ kind: string, at: number, from: string, to: string, line: number }[]}
 */
export function mutantsOf(file, source) {
  const found = [];
  const add = (kind, at, from, to) => {
    if (from === to || from.includes('\n')) return;
    found.push({ kind, at, from, to, line: source.slice(0, at).split('\n').length });
  };
  if (file.endsWith('.json')) ofSettings(source, add);
  else visit(parseSync(file, source).program, source, add);
  return found;
}

/** A flag that is the other, a number more, a setting that is gone. What is only read by people stays. */
function ofSettings(source, add) {
  for (const { index, 0: line, 1: before, 2: key, 3: value, 4: comma } of source.matchAll(
    /^( *"(\w+)": )("[^"\n]*"|true|false|\d+)(,?)$/gm,
  )) {
    if (['zh', 'en', 'module', 'table'].includes(key)) continue;
    const at = index + before.length;
    if (value === 'true' || value === 'false') add('flag', at, value, String(value === 'false'));
    else if (/^\d/.test(value)) add('number', at, value, String(Number(value) + 1));
    if (comma) add('setting gone', index, line, '');
  }
}

const COMPARISONS = { '===': '!==', '!==': '===', '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
const OTHER = { '+': '-', '-': '+', '*': '/', '&&': '||', '||': '&&', '??': '&&' };
const CALLS = new Set(
  [
    'filter',
    'where',
    'having',
    'forUpdate',
    'orderBy',
    'limit',
    'distinct',
    'sort',
    'toSorted',
    'reverse',
    'trim',
  ].concat(['optional', 'toUpperCase', 'toLowerCase']),
);
const SQL = {
  AND: 'OR',
  OR: 'AND',
  LEFT: 'INNER',
  ASC: 'DESC',
  DESC: 'ASC',
  '>=': '>',
  '<=': '<',
  '<>': '=',
  '=': '<>',
  min: 'max',
  max: 'min',
};
const SQL_WORD = /(?<![\w<>=!])(?:AND|OR|LEFT|ASC|DESC|min|max|>=|<=|<>|=)(?![\w<>=])/g;
/** Of a contract. */
const WRAPPERS = /^(?:Nullable|Type\.Optional|Type\.Array)$/;
/** How a thing looks is no test's. */
const LOOKS = new Set(['sx', 'style', 'className', 'size', 'variant', 'color']);

function visit(node, source, add) {
  if (Array.isArray(node)) return node.forEach((it) => visit(it, source, add));
  if (!node || typeof node.type !== 'string') return;
  if (/^(?:TS(?!As|NonNull|Satisfies)|Import|ExportAll)/.test(node.type)) return;
  const text = ({ start, end }) => source.slice(start, end);
  const put = (kind, { start, end }, to) => add(kind, start, source.slice(start, end), to);
  switch (node.type) {
    case 'JSXAttribute':
      if (LOOKS.has(node.name.name)) return;
      if (node.name.name !== 'key') put('attribute gone', node, '');
      break;
    case 'BinaryExpression':
    case 'LogicalExpression': {
      const start = source.indexOf(node.operator, node.left.end);
      const operator = { start, end: start + node.operator.length };
      if (COMPARISONS[node.operator]) put('comparison', operator, COMPARISONS[node.operator]);
      if (OTHER[node.operator]) put('operator', operator, OTHER[node.operator]);
      if (node.operator === '&&' || node.operator === '||') {
        put('condition gone', node, text(node.left));
        put('condition gone', node, text(node.right));
      }
      break;
    }
    case 'UnaryExpression':
      if (node.operator === '!') put('flag', node, text(node.argument));
      break;
    case 'Literal':
      if (typeof node.value === 'boolean') put('flag', node, String(!node.value));
      if (typeof node.value === 'number') put('number', node, String(node.value + 1));
      break;
    case 'ConditionalExpression':
      put(
        'branches',
        { start: node.consequent.start, end: node.alternate.end },
        `${text(node.alternate)} : ${text(node.consequent)}`,
      );
      break;
    case 'ExpressionStatement':
      if (/^(?:Call|Await|Assignment)Expression$/.test(node.expression.type)) put('statement gone', node, ';');
      break;
    case 'IfStatement':
      if (!node.alternate) put('statement gone', node, ';');
      break;
    case 'Property':
      put('property gone', { start: node.start, end: node.end + (source[node.end] === ',' ? 1 : 0) }, '');
      break;
    case 'CallExpression':
      if (node.arguments.length === 1 && WRAPPERS.test(text(node.callee)))
        put('call gone', node, text(node.arguments[0]));
      if (node.callee.type === 'MemberExpression' && CALLS.has(node.callee.property.name))
        put('call gone', { start: node.callee.object.end, end: node.end }, '');
      break;
    case 'TaggedTemplateExpression':
      if (node.tag.name === 'sql') {
        for (const part of node.quasi.quasis) {
          for (const { index, 0: word } of text(part).matchAll(SQL_WORD)) {
            const start = part.start + index;
            put('SQL', { start, end: start + word.length }, SQL[word]);
          }
        }
      }
      break;
    default:
  }
  for (const child of Object.values(node)) if (child && typeof child === 'object') visit(child, source, add);
}
