import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { hostsOf } from '#server/db/client.ts';
import { ROOT } from '#server/root.ts';

/**
 * What the environment says, read once and checked; a bad value stops the start with its name.
 * Rule: operating#settings.
 */
export interface Config {
  production: boolean;
  port: number;
  host: string;
  dataDir: string;
  databaseUrl: string | null;
  /** How many connections the pools may have: of the calls, of the jobs, and of the searches of each. */
  connections: { calls: number; searches: number; jobs: number };
  /** Where the embedded database's WAL and bases are kept, to restore a moment from; null where none are. */
  walArchive: string | null;
  /** `null`: not said, so decided by the database (on for an empty embedded one on a loopback host). */
  demo: boolean | null;
  /** When the demo's data end, so that they are the same on every day; left out, now. */
  demoAt: number | null;
  captcha: boolean;
  sessionDays: number;
  /** However much it is used, no session lives longer. */
  sessionMaxDays: number;
  passwordMin: number;
  /** The single sign-on of internal users; null where it is off or nothing says where it is. */
  sso: Sso | null;
  /** Where somebody who signed in with a password goes after signing out. */
  logoutUrl: string;
  /** The header shows the icon of captured errors. */
  errorLogIcon: boolean;
  timeZone: string;
  /** How long a nested search may take before it is refused. */
  searchMs: number;
  /** How long it still answers after it was told to stop, so that whoever sends calls here hears of it first. */
  drainSeconds: number;
  /** How many times as long as usual the database may take to be reached and to answer. */
  patience: number;
  tls: { cert: string; key: string } | null;
  /** The proxies in front: how many, or their addresses; null where there is none, and `X-Forwarded-*` says nothing. */
  trustProxy: number | string[] | null;
  insecureHttp: boolean;
  logLevel: string;
  /** Who reads `/metrics` says it; null: this machine itself may read, past any proxy. */
  metricsToken: string | null;
  /** How long a call waits for an export before it answers with the running job. Rule: exports-and-jobs#waiting. */
  exportWaitMs: number;
  /** How much one user may upload in 24 hours. Rule: uploads#sizes. */
  uploadQuotaMb: number;
  /** With less free space than this on the disk of `DATA_DIR` the server says that it is not ready. */
  diskFreeMb: number;
  /** Where what waits for the website is sent; null where it only waits. Rule: parcels#website. */
  webSync: WebSync | null;
  /** The printers that labels may be sent to, by name; without any, only the browser prints. Rule: labels#printers. */
  labelPrinters: readonly LabelPrinter[];
}

/** A printer that takes ZPL, or the agent in front of one. */
export interface LabelPrinter {
  name: string;
  host: string;
  port: number;
  /** Dots per inch. */
  dpi: number;
}

export interface WebSync {
  url: string;
  token: string | null;
}

/** A CAS 3.0 server. */
export interface Sso {
  loginUrl: string;
  validateUrl: string;
  /** This installation's own login page, as the CAS server knows it: the only service whose tickets count. */
  serviceUrl: string;
}

export const CONNECTIONS: Config['connections'] = { calls: 20, searches: 8, jobs: 6 };

export class BadSetting extends Error {
  constructor(name: string, what: string) {
    super(`${name}: ${what}`);
    this.name = 'BadSetting';
  }
}

/** @throws BadSetting naming the variable, when a value is not one that it may have. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const production = env['NODE_ENV'] === 'production';
  const host = env['HOST'] || '127.0.0.1';
  const databaseUrl = env['DATABASE_URL'] || null;
  if (databaseUrl) checkHosts(databaseUrl);
  const dataDirSaid = env['DATA_DIR'];
  if (production && !dataDirSaid) {
    throw new BadSetting('DATA_DIR', 'NODE_ENV=production has no default; name the folder that files and data live in');
  }
  const config: Config = {
    production,
    port: integer(env, 'PORT', 3000, 0, 65_535),
    host,
    dataDir: resolve(ROOT, dataDirSaid || 'data'),
    databaseUrl,
    connections: {
      calls: integer(env, 'CALL_CONNECTIONS', CONNECTIONS.calls, 4, 1000),
      searches: integer(env, 'SEARCH_CONNECTIONS', CONNECTIONS.searches, 1, 1000),
      jobs: integer(env, 'JOB_CONNECTIONS', CONNECTIONS.jobs, 4, 1000),
    },
    walArchive: walArchive(env, databaseUrl),
    demo: onOff(env, 'DEMO', null),
    demoAt: moment(env, 'DEMO_AT'),
    captcha: onOff(env, 'CAPTCHA', true) ?? true,
    sessionDays: integer(env, 'SESSION_DAYS', 1, 1, 90),
    sessionMaxDays: integer(env, 'SESSION_MAX_DAYS', 7, 1, 365),
    passwordMin: integer(env, 'PASSWORD_MIN', 6, 6, 30),
    sso: onOff(env, 'SSO', true) ? sso(env) : null,
    logoutUrl: pathOrAddress(env, 'LOGOUT_URL', '/login'),
    errorLogIcon: onOff(env, 'ERROR_LOG_ICON', true) ?? true,
    timeZone: timeZone(env['TIME_ZONE'] || 'Asia/Shanghai'),
    searchMs: integer(env, 'SEARCH_MS', 5000, 50, 60_000),
    drainSeconds: integer(env, 'DRAIN_SECONDS', 0, 0, 300),
    patience: integer(env, 'PATIENCE', 1, 1, 60),
    tls: tls(env),
    trustProxy: trustProxy(env['TRUST_PROXY']),
    insecureHttp: onOff(env, 'INSECURE_HTTP', false) ?? false,
    logLevel: oneOf(env, 'LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
    metricsToken: env['METRICS_TOKEN'] || null,
    exportWaitMs: integer(env, 'EXPORT_WAIT_MS', 10_000, 0, 60_000),
    uploadQuotaMb: integer(env, 'UPLOAD_QUOTA_MB', 500, 1, 100_000),
    diskFreeMb: integer(env, 'DISK_FREE_MB', 200, 0, 1_000_000),
    webSync: webSync(env),
    labelPrinters: labelPrinters(env),
  };
  const open = !isLoopback(host);
  if (open && !config.tls && config.trustProxy === null && !config.insecureHttp) {
    throw new BadSetting(
      'HOST',
      `${host} is not loopback: give TLS_CERT and TLS_KEY, or TRUST_PROXY=1 behind one proxy, or say INSECURE_HTTP=on`,
    );
  }
  return config;
}

function checkHosts(databaseUrl: string): void {
  try {
    hostsOf(databaseUrl);
  } catch (error) {
    throw new BadSetting('DATABASE_URL', (error as Error).message);
  }
}

/** Only this machine reaches it. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

function integer(env: NodeJS.ProcessEnv, name: string, fallback: number, min: number, max: number): number {
  const said = env[name];
  if (!said) return fallback;
  const value = Number(said);
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new BadSetting(name, `"${said}" is not a whole number from ${min} to ${max}`);
  }
  return value;
}

function walArchive(env: NodeJS.ProcessEnv, databaseUrl: string | null): string | null {
  const said = env['WAL_ARCHIVE'];
  if (!said) return null;
  if (databaseUrl) {
    throw new BadSetting(
      'WAL_ARCHIVE',
      'DATABASE_URL is set, and that PostgreSQL archives its own WAL (archive_command, pg_basebackup): take WAL_ARCHIVE away',
    );
  }
  return resolve(ROOT, said);
}

function moment(env: NodeJS.ProcessEnv, name: string): number | null {
  const said = env[name];
  if (!said) return null;
  const at = Date.parse(said);
  if (!/^\d{4}-\d\d-\d\dT/.test(said) || Number.isNaN(at))
    throw new BadSetting(name, `"${said}" is not a moment such as 2026-11-20T02:00:00Z`);
  return at;
}

function onOff(env: NodeJS.ProcessEnv, name: string, fallback: boolean | null): boolean | null {
  const said = env[name];
  if (!said) return fallback;
  if (said === 'on') return true;
  if (said === 'off') return false;
  throw new BadSetting(name, `"${said}" is neither on nor off`);
}

const MAX_PROXIES = 10;
/** Names that Fastify knows for the ranges of this machine, of a link and of a private network. */
const NAMED_RANGES = ['loopback', 'linklocal', 'uniquelocal'];

/** Each proxy adds the address that it saw at the end of `X-Forwarded-For`; all before what ours have added, a client wrote. */
function trustProxy(said: string | undefined): Config['trustProxy'] {
  if (!said || said === 'off') return null;
  if (/^\d+$/.test(said)) {
    const hops = Number(said);
    if (hops >= 1 && hops <= MAX_PROXIES) return hops;
    throw new BadSetting(
      'TRUST_PROXY',
      `"${said}" is no number of proxies from 1 to ${MAX_PROXIES}; write off for none`,
    );
  }
  if (/^(on|true|yes|all|\*)$/i.test(said)) {
    throw new BadSetting(
      'TRUST_PROXY',
      `"${said}" would believe an address that any client writes: say how many proxies stand in front, as ` +
        'TRUST_PROXY=1, or what their addresses are, as TRUST_PROXY=10.0.0.5,10.1.0.0/16',
    );
  }
  const addresses = said.split(',').map((it) => it.trim());
  const strange = addresses.find((it) => !isProxyAddress(it));
  if (strange !== undefined) {
    throw new BadSetting(
      'TRUST_PROXY',
      `"${strange}" is neither a number of proxies nor an address of one; write 1, or 10.0.0.5,10.1.0.0/16`,
    );
  }
  return addresses;
}

function isProxyAddress(text: string): boolean {
  if (NAMED_RANGES.includes(text)) return true;
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  // A range of all addresses would trust everybody.
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

function oneOf(env: NodeJS.ProcessEnv, name: string, values: string[], fallback: string): string {
  const said = env[name];
  if (!said) return fallback;
  if (!values.includes(said)) throw new BadSetting(name, `"${said}" is none of ${values.join(', ')}`);
  return said;
}

function webAddress(env: NodeJS.ProcessEnv, name: string): string | null {
  const said = env[name];
  if (!said) return null;
  if (!/^https?:\/\//.test(said) || !URL.canParse(said)) {
    throw new BadSetting(name, `"${said}" is no address; write it as https://sso.example/login`);
  }
  return said;
}

/** Asked for by `SSO_LOGIN_URL`; what it needs beside that must be said or follow from it. */
function sso(env: NodeJS.ProcessEnv): Sso | null {
  const loginUrl = webAddress(env, 'SSO_LOGIN_URL');
  const serviceUrl = webAddress(env, 'SSO_SERVICE_URL');
  const said = webAddress(env, 'SSO_VALIDATE_URL');
  if (!loginUrl) {
    const [alone] = ['SSO_SERVICE_URL', 'SSO_VALIDATE_URL'].filter((it) => env[it]);
    if (alone) throw new BadSetting('SSO_LOGIN_URL', `${alone} is said, so say where internal users sign in`);
    return null;
  }
  if (!serviceUrl) {
    throw new BadSetting('SSO_SERVICE_URL', 'say the address of the login page here, as https://reflow.example/login');
  }
  const validateUrl = said ?? besideLogin(loginUrl);
  if (!validateUrl) {
    throw new BadSetting(
      'SSO_VALIDATE_URL',
      'say where tickets are validated, as https://sso.example/cas/p3/serviceValidate',
    );
  }
  if (isOverheard(env, validateUrl)) {
    throw new BadSetting(
      'SSO_VALIDATE_URL',
      `${validateUrl} is not https, so whoever stands between decides who signs in`,
    );
  }
  return { loginUrl, validateUrl, serviceUrl };
}

function webSync(env: NodeJS.ProcessEnv): WebSync | null {
  const url = webAddress(env, 'WEB_SYNC_URL');
  const token = env['WEB_SYNC_TOKEN'] || null;
  if (!url && token) throw new BadSetting('WEB_SYNC_URL', 'WEB_SYNC_TOKEN is said, so say where to send');
  if (url && isOverheard(env, url)) {
    throw new BadSetting('WEB_SYNC_URL', `${url} is not https, so whoever stands between reads what is sent`);
  }
  return url ? { url, token } : null;
}

/** What label printers are built with. */
const RESOLUTIONS = [203, 300, 600];
const PRINTER = /^([^=,/:]{1,40})=(?:\[([\da-f:.]+)\]|([\w.-]+)):(\d{1,5})\/(\d{3})$/i;

/** As `bench-1=10.0.0.21:9100/203,bench-2=printers.example:9100/300`; nothing but these is ever connected to. */
function labelPrinters(env: NodeJS.ProcessEnv): LabelPrinter[] {
  const said = env['LABEL_PRINTERS'];
  if (!said) return [];
  const printers = said.split(',').map((it) => labelPrinter(it.trim()));
  const names = printers.map((it) => it.name);
  const twice = names.find((it, i) => names.indexOf(it) !== i);
  if (twice !== undefined) throw new BadSetting('LABEL_PRINTERS', `two printers are called "${twice}"`);
  return printers;
}

function labelPrinter(text: string): LabelPrinter {
  const [, name = '', v6, host = v6, port, dpi] = PRINTER.exec(text) ?? [];
  if (host === undefined || name.trim() === '') {
    throw new BadSetting('LABEL_PRINTERS', `"${text}" is no printer; write it as bench-1=10.0.0.21:9100/203`);
  }
  const printer = { name: name.trim(), host, port: Number(port), dpi: Number(dpi) };
  if (printer.port < 1 || printer.port > 65_535) {
    throw new BadSetting('LABEL_PRINTERS', `"${text}": ${port} is no port from 1 to 65535`);
  }
  if (!RESOLUTIONS.includes(printer.dpi)) {
    throw new BadSetting('LABEL_PRINTERS', `"${text}": ${dpi} dots per inch is none of ${RESOLUTIONS.join(', ')}`);
  }
  return printer;
}

/** Plain http to another machine, and nobody said that this is meant. */
function isOverheard(env: NodeJS.ProcessEnv, address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !isLoopback(hostname) && !onOff(env, 'INSECURE_HTTP', false);
}

/** `…/login` and `…/p3/serviceValidate` lie side by side in every CAS 3.0 server. */
function besideLogin(loginUrl: string): string | null {
  const url = new URL(loginUrl);
  if (!url.pathname.endsWith('/login')) return null;
  return url.origin + url.pathname.slice(0, -'login'.length) + 'p3/serviceValidate';
}

function pathOrAddress(env: NodeJS.ProcessEnv, name: string, fallback: string): string {
  const said = env[name] || fallback;
  return /^\/(?![\\/])/.test(said) ? said : (webAddress(env, name) ?? fallback);
}

function timeZone(name: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return name;
  } catch {
    throw new BadSetting('TIME_ZONE', `"${name}" is no time zone; use a name such as Asia/Shanghai`);
  }
}

/** Certificate and key as the files hold them now. @throws BadSetting where they are none, or do not belong together */
export function readTls(env: NodeJS.ProcessEnv = process.env): Config['tls'] {
  const read = tls(env);
  checkTls({ tls: read });
  return read;
}

function tls(env: NodeJS.ProcessEnv): Config['tls'] {
  const cert = env['TLS_CERT'];
  const key = env['TLS_KEY'];
  if (!cert && !key) return null;
  if (!cert || !key) throw new BadSetting(cert ? 'TLS_KEY' : 'TLS_CERT', 'TLS_CERT and TLS_KEY go together');
  for (const [name, file] of [
    ['TLS_CERT', cert],
    ['TLS_KEY', key],
  ] as const) {
    if (!existsSync(file)) throw new BadSetting(name, `there is no file ${join(file)}`);
  }
  return { cert: readPem('TLS_CERT', cert), key: readPem('TLS_KEY', key) };
}

function readPem(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new BadSetting(name, `${join(file)} cannot be read: ${(error as Error).message}`);
  }
}

/** Stops the start where the certificate and its key are none, or do not belong together. */
export function checkTls({ tls }: Pick<Config, 'tls'>): void {
  if (!tls) return;
  for (const [name, part] of [
    ['TLS_CERT', { cert: tls.cert }],
    ['TLS_KEY', { key: tls.key }],
    ['TLS_KEY', tls],
  ] as const) {
    try {
      createSecureContext(part);
    } catch (error) {
      throw new BadSetting(name, `the file cannot be used: ${(error as Error).message}`);
    }
  }
}
