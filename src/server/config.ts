import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT } from '#server/root.ts';

/** What the environment says, read once and checked; a bad value stops the start with its name. Design section 3. */
export interface Config {
  production: boolean;
  port: number;
  host: string;
  dataDir: string;
  databaseUrl: string | null;
  /** `null`: not said, so decided by the database (on for an empty embedded one on a loopback host). */
  demo: boolean | null;
  captcha: boolean;
  sessionDays: number;
  passwordMin: number;
  /** Where internal users sign in; null hides their button. */
  ssoLoginUrl: string | null;
  timeZone: string;
  tls: { cert: string; key: string } | null;
  trustProxy: boolean;
  insecureHttp: boolean;
  logLevel: string;
}

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
    demo: onOff(env, 'DEMO', null),
    captcha: onOff(env, 'CAPTCHA', true) ?? true,
    sessionDays: integer(env, 'SESSION_DAYS', 1, 1, 90),
    passwordMin: integer(env, 'PASSWORD_MIN', 6, 6, 30),
    ssoLoginUrl: onOff(env, 'SSO', true) ? webAddress(env, 'SSO_LOGIN_URL') : null,
    timeZone: timeZone(env['TIME_ZONE'] || 'Asia/Shanghai'),
    tls: tls(env),
    trustProxy: onOff(env, 'TRUST_PROXY', false) ?? false,
    insecureHttp: onOff(env, 'INSECURE_HTTP', false) ?? false,
    logLevel: oneOf(env, 'LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
  };
  const open = !isLoopback(host);
  if (open && !config.tls && !config.trustProxy && !config.insecureHttp) {
    throw new BadSetting(
      'HOST',
      `${host} is not loopback: give TLS_CERT and TLS_KEY, or TRUST_PROXY=on behind a proxy, or say INSECURE_HTTP=on`,
    );
  }
  return config;
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

function onOff(env: NodeJS.ProcessEnv, name: string, fallback: boolean | null): boolean | null {
  const said = env[name];
  if (!said) return fallback;
  if (said === 'on') return true;
  if (said === 'off') return false;
  throw new BadSetting(name, `"${said}" is neither on nor off`);
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

function timeZone(name: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return name;
  } catch {
    throw new BadSetting('TIME_ZONE', `"${name}" is no time zone; use a name such as Asia/Shanghai`);
  }
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
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
}
