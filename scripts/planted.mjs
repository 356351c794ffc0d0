// node scripts/planted.mjs: the server with holes in its searches and sorts, which npm run sqlmap must find. Never for real data:
//   CAPTCHA=off DEMO=on DATA_DIR=/tmp/planted PORT=3100 node dist/planted/main.js
//   npm run sqlmap -- --url=http://127.0.0.1:3100
import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readOptions } from './lib/options.mjs';
import { ROOT, say } from './lib/run.mjs';
import { serverBundle } from './lib/serverBundle.mjs';

readOptions('node scripts/planted.mjs');
const SERVER = join(ROOT, 'src', 'server');

/** By file: what is written there, and the same without its check or its parameter. */
const HOLES = {
  'engine/rows.ts': [
    ['!sortable.has(String(sortBy))', 'false'],
    [
      'sql.ref(`t.${it.name}`)} ${direction',
      '/^\\w+$/.test(it.name) ? sql.ref(`t.${it.name}`) : sql.raw(it.name)} ${direction',
    ],
  ],
  'engine/filters.ts': [
    ['return sql`${column} = ${value}`;', "return sql`${column} = ${sql.raw(`'${value}'`)}`;"],
    [
      'if (text.toLowerCase() === text.toUpperCase())',
      "return sql`${column} ILIKE ${sql.raw(`'%${text}%'`)}`;\n  if (text.toLowerCase() === text.toUpperCase())",
    ],
  ],
  'engine/conditions.ts': [
    ["throw unknownName('column', name);", "return sql.raw(`${name} ILIKE '%${rule['value']}%'`);"],
  ],
  'engine/choices.ts': [['::text = ${asked.value}`', "::text = ${sql.raw(`'${asked.value}'`)}`"]],
  'find/find.ts': [['${column} >= ${it} AND', "${column} >= ${sql.raw(`'${it}'`)} AND"]],
};

const planted = {
  name: 'planted',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const file = Object.keys(HOLES).find((it) => path === join(SERVER, it));
      let contents = file && readFileSync(path, 'utf8');
      for (const [written, instead] of HOLES[file] ?? []) {
        if (!contents.includes(written)) throw new Error(`${file} no longer says ${written}: plant the hole anew`);
        contents = contents.replace(written, () => instead);
      }
      return file && { contents, loader: 'ts', resolveDir: dirname(path) };
    });
  },
};

await build({ ...serverBundle('dist/planted'), plugins: [planted] });
say('built dist/planted/main.js, with holes: for nothing but the scanner');
