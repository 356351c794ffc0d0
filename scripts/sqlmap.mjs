// npm run sqlmap: sqlmap at its highest level and risk on what lists are searched and sorted by; some 20 s a parameter. Needs
// sqlmap, and a running server on demo data with CAPTCHA=off (or a token). Fails for a finding, for an answer of 500 and for a
// scan that was cut short. A clean run proves something only where the same run finds the holes of scripts/planted.mjs.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOptions } from './lib/options.mjs';
import { giveUp } from './lib/ready.mjs';
import { ROOT, run, say, took } from './lib/run.mjs';

const OPTIONS = '--batch --ignore-stdin --level 5 --risk 3 --dbms postgresql --flush-session --threads 2'.split(' ');
const CLEAN = /all tested parameters do not appear to be injectable/;
const UNANSWERED = /(?:connection (?:timed out|dropped|reset|refused)|unable to connect)(?!.*going to retry)/;
const FOUND = /^(?:Parameter: .*|[ ]{4}(?:Type|Payload): .*)$/gm;
const SERVER_ERRORS = /^5\d\d \(.*times$/gm;

const USAGE = 'npm run sqlmap [-- --url=http://127.0.0.1:3000 --user=admin --password=… --token=… --only=find]';
const { values: options } = readOptions(USAGE, {
  url: /^https?:\/\//,
  user: /./,
  password: /./,
  token: /./,
  only: /./,
});
const base = new URL(options.url ?? 'http://127.0.0.1:3000');
const token = options.token ?? (await signIn());
const folder = join(ROOT, '.cache', 'sqlmap');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const page = 'pageStart=0&pageCount=10';
const everyDay = 'createTimeStart=0&createTimeEnd=4102444800000';
const price = await asInFirstRow('rmaPriceBill', ['effectiveDate', 'unitPriceWithTax', 'supplierName']);
const fee = await asInFirstRow('rmaRepairFeeBill', ['recPeriod', 'lineCount']);
const rule = (connector, column, relation, value) => ({ connector, column, relation, value });

/** Every parameter of an address is tried; where something bears a `*`, the marked places alone. */
const targets = [
  { path: `/api/rmaInventory/pager.json?siteId=SZ&ivyId=50&sn=HB&sortBy=sn&order=asc&${page}` },
  { path: `/api/rmaInventory*/pager.json?siteId*=SZ&total=all*&lang=en*` },
  { path: `/api/rmaPriceBill/pager.json?${price}&${everyDay}&sortBy=createTime&order=desc&${page}` },
  { path: `/api/rmaRepairFeeBill/pager.json?${fee}&sortBy=lineCount&order=desc&${page}` },
  {
    path: '/api/rmaInventory/advancedSearch.json?pageStart=0*&pageCount=10*&sortBy=sn*&order=asc*',
    rules: [
      rule('AND', 'siteId', 'EQUAL_TO', 'SZ'),
      rule('AND', 'sn', 'LIKE', 'HB'),
      rule('OR', 'ivyId', 'IN', '50,60'),
    ],
  },
  {
    path: `/api/rmaPriceBill/advancedSearch.json?${page}`,
    rules: [
      rule('AND', 'createTime', 'GREATER_THAN', 0),
      rule('AND', 'unitPriceWithTax', 'NOT_EQUAL_TO', 0.5),
      rule('AND', 'supplierName', 'IS_NOT_NULL', ''),
    ],
  },
  { path: '/api/find.json?text=HB15' },
  { path: '/api/rmaInventory/options.json?field=siteId&search=S' },
  { path: '/api/rmaInventory/options.json?field=siteId&value=SZ' },
].filter((it) => it.path.includes(options.only ?? ''));

let isClean = targets.length > 0;
for (const [i, target] of targets.entries()) {
  const verdict = await scan(target, join(folder, String(i + 1)));
  if (verdict !== 'clean') isClean = false;
}
say(`what sqlmap was sent and said lies in ${folder}`);
process.exit(isClean ? 0 : 1);

async function scan({ path, rules }, name) {
  const body = rules && JSON.stringify({ adminAdvancedSearchGroup: { connector: 'AND', rules, groups: [] } });
  // A scan of a call that finds nothing would see no difference between true and false.
  await demandRows(path.replaceAll('*', ''), body);
  writeFileSync(`${name}.request`, requestOf(path, body && marked(body)));
  const args = ['-r', `${name}.request`, ...OPTIONS, '--answers=keep testing=Y', '--output-dir', name];
  const { code, output, ms } = await run('sqlmap', args, { quiet: true });
  writeFileSync(`${name}.log`, output);
  if (code === 127) giveUp('there is no sqlmap; Debian has it as a package: apt-get install sqlmap');
  await demandRows(path.replaceAll('*', ''), body);

  const found = [...(output.match(FOUND) ?? []), ...(output.match(SERVER_ERRORS) ?? [])];
  const verdict = found.length > 0 ? 'FOUND' : CLEAN.test(output) && !UNANSWERED.test(output) ? 'clean' : 'CUT SHORT';
  say(`${verdict}  ${rules ? 'POST' : 'GET'} ${decodeURI(path)}  ${took(ms)}`);
  for (const line of found) console.log(`    ${line.trim()}`);
  return verdict;
}

function requestOf(path, body = '') {
  const lines = [`${body ? 'POST' : 'GET'} ${path} HTTP/1.1`, `Host: ${base.host}`, `token: ${token}`];
  if (body) lines.push('Content-Type: application/json');
  return [...lines, '', body].join('\r\n');
}

/** Every value of a rule, and the connector of the group. */
function marked(body) {
  const place = /("(?:connector|column|relation|value)":)("[^"]*|[\d.]+)/g;
  return body.replace(place, (_, name, value) => `${name}${value}*`);
}

async function signIn() {
  const fields = {
    userId: options.user ?? 'admin',
    password: options.password ?? 'Reflow#2026',
    captcha: '',
    uuid: '',
  };
  const { msg, data } = await ask('/api/login.json', { method: 'POST', body: new URLSearchParams(fields) });
  return data?.token ?? giveUp(`${fields.userId} can't sign in: ${msg}`);
}

/** Filters that find the first row of a list, whatever the day of the demo data. */
async function asInFirstRow(module, names) {
  const { data, msg } = await ask(`/api/${module}/pager.json?pageCount=1`, { headers: { token } });
  const [row] = data?.items ?? [];
  if (!row) giveUp(`${module} shows no row: ${msg}`);
  return new URLSearchParams(names.map((it) => [it, row[it]])).toString();
}

async function demandRows(path, body) {
  const headers = { token, ...(body && { 'content-type': 'application/json' }) };
  const { data, msg } = await ask(path, { method: body ? 'POST' : 'GET', headers, body });
  if (!(data?.items ?? data?.options)?.length) giveUp(`${path} finds nothing: ${msg}`);
}

async function ask(path, init) {
  const reply = await fetch(new URL(path, base), init).catch(() => giveUp(`nobody answers at ${base}`));
  return reply.json();
}
