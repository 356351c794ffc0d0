import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BadSetting, checkTls, isLoopback, readConfig } from '#server/config.ts';
import { ROOT } from '#server/root.ts';

describe('the settings', () => {
  it('have defaults for a workplace: this machine only, data in the clone, captcha on', () => {
    expect(readConfig({})).toEqual({
      production: false,
      port: 3000,
      host: '127.0.0.1',
      dataDir: join(ROOT, 'data'),
      databaseUrl: null,
      connections: { calls: 20, searches: 8, jobs: 6 },
      walArchive: null,
      demo: null,
      demoAt: null,
      captcha: true,
      sessionDays: 1,
      passwordMin: 6,
      sessionMaxDays: 7,
      sso: null,
      logoutUrl: '/login',
      errorLogIcon: true,
      timeZone: 'Asia/Shanghai',
      tls: null,
      trustProxy: null,
      insecureHttp: false,
      logLevel: 'info',
      metricsToken: null,
      searchMs: 5000,
      patience: 1,
      exportWaitMs: 10_000,
      uploadQuotaMb: 500,
      diskFreeMb: 200,
      drainSeconds: 0,
      webSync: null,
      labelPrinters: [],
    });
  });

  it('are what the environment says; empty is not said', () => {
    const config = readConfig({
      PORT: '8080',
      DATABASE_URL: 'postgres://db/reflow',
      DATA_DIR: '/srv/reflow',
      DEMO: 'off',
      CAPTCHA: 'off',
      SESSION_DAYS: '30',
      PASSWORD_MIN: '12',
      TIME_ZONE: 'Europe/Berlin',
      LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
      HOST: '',
    });
    expect(config).toMatchObject({
      production: true,
      port: 8080,
      databaseUrl: 'postgres://db/reflow',
      dataDir: '/srv/reflow',
      demo: false,
      captcha: false,
      sessionDays: 30,
      passwordMin: 12,
      timeZone: 'Europe/Berlin',
      logLevel: 'warn',
      host: '127.0.0.1',
    });
  });

  it.each<[string, NodeJS.ProcessEnv]>([
    ['PORT', { PORT: 'http' }],
    ['PORT', { PORT: '65536' }],
    ['PORT', { PORT: '-1' }],
    ['PORT', { PORT: '3000.5' }],
    ['SESSION_DAYS', { SESSION_DAYS: '0' }],
    ['SESSION_DAYS', { SESSION_DAYS: '91' }],
    ['PASSWORD_MIN', { PASSWORD_MIN: '5' }],
    ['PASSWORD_MIN', { PASSWORD_MIN: '31' }],
    ['DEMO', { DEMO: 'yes' }],
    ['CAPTCHA', { CAPTCHA: 'false' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'on' }],
    ['INSECURE_HTTP', { INSECURE_HTTP: 'true' }],
    ['SSO', { SSO: 'maybe' }],
    ['SSO_LOGIN_URL', { SSO_LOGIN_URL: 'javascript:alert(1)' }],
    ['SSO_LOGIN_URL', { SSO_LOGIN_URL: 'sso.example' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['TIME_ZONE', { TIME_ZONE: 'Asia/Shenzhen' }],
    ['TLS_KEY', { TLS_CERT: '/cert.pem' }],
    ['TLS_CERT', { TLS_KEY: '/key.pem' }],
    ['TLS_CERT', { TLS_CERT: '/there/is/none.pem', TLS_KEY: '/there/is/none.pem' }],
    ['TLS_CERT', { TLS_CERT: tmpdir(), TLS_KEY: tmpdir() }],
    ['DATA_DIR', { NODE_ENV: 'production' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://me:secret@a:5432,/reflow' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://me:secret@a:5432,b:port/reflow' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://me:secret@/reflow?host=a,b' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://me:secret@a,b/reflow?target_session_attrs=standby' }],
    ['CALL_CONNECTIONS', { CALL_CONNECTIONS: '3' }],
    ['SEARCH_CONNECTIONS', { SEARCH_CONNECTIONS: '0' }],
    ['JOB_CONNECTIONS', { JOB_CONNECTIONS: 'few' }],
    ['WAL_ARCHIVE', { WAL_ARCHIVE: '/wal', DATABASE_URL: 'postgres://db/reflow' }],
    ['HOST', { HOST: '0.0.0.0' }],
    ['HOST', { HOST: '::' }],
    ['HOST', { HOST: '192.168.1.20' }],
    ['HOST', { HOST: '0.0.0.0', TRUST_PROXY: 'off', INSECURE_HTTP: 'off' }],
  ])('stop the start by the name of %s in %o', (name, env) => {
    expect(() => readConfig(env)).toThrow(BadSetting);
    expect(() => readConfig(env)).toThrow(new RegExp(`^${name}: `));
    expect(() => readConfig(env)).not.toThrow('secret');
  });

  it('open the server to others only with TLS, behind a proxy, or on somebody’s word', () => {
    const folder = mkdtempSync(join(tmpdir(), 'reflow-tls-'));
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    writeFileSync(cert, 'certificate');
    writeFileSync(key, 'key');
    const open = { HOST: '0.0.0.0' };
    expect(readConfig({ ...open, TRUST_PROXY: '1' })).toMatchObject({ host: '0.0.0.0', trustProxy: 1 });
    expect(readConfig({ ...open, INSECURE_HTTP: 'on' })).toMatchObject({ host: '0.0.0.0', insecureHttp: true });
    expect(readConfig({ ...open, TLS_CERT: cert, TLS_KEY: key }).tls).toEqual({ cert: 'certificate', key: 'key' });
    rmSync(folder, { recursive: true });
  });

  it('stop the start where what TLS is given is no certificate', () => {
    expect(() => checkTls({ tls: null })).not.toThrow();
    expect(() => checkTls({ tls: { cert: 'certificate', key: 'key' } })).toThrow(/^TLS_CERT: the file cannot be used/);
  });

  it('have single sign-on enabled; it shows itself once they say where it is, unless it is switched off [P-SES-07]', () => {
    const where = { SSO_LOGIN_URL: 'https://sso.example/cas/login', SSO_SERVICE_URL: 'https://reflow.example/login' };
    expect(readConfig(where).sso).toEqual({
      loginUrl: 'https://sso.example/cas/login',
      serviceUrl: 'https://reflow.example/login',
      validateUrl: 'https://sso.example/cas/p3/serviceValidate',
    });
    expect(readConfig({ ...where, SSO: 'on' }).sso).toEqual(readConfig(where).sso);
    expect(readConfig({ ...where, SSO: 'off' }).sso).toBeNull();
    expect(readConfig({}).sso).toBeNull();
    const elsewhere = { ...where, SSO_VALIDATE_URL: 'https://inside.example/validate' };
    expect(readConfig(elsewhere).sso?.validateUrl).toBe('https://inside.example/validate');
  });

  it.each<[string, NodeJS.ProcessEnv]>([
    ['SSO_LOGIN_URL', { SSO_SERVICE_URL: 'https://reflow.example/login' }],
    ['SSO_LOGIN_URL', { SSO_VALIDATE_URL: 'https://sso.example/p3/serviceValidate' }],
    ['SSO_SERVICE_URL', { SSO_LOGIN_URL: 'https://sso.example/login' }],
    ['SSO_SERVICE_URL', { SSO_LOGIN_URL: 'https://sso.example/login', SSO_SERVICE_URL: '/login' }],
    ['SSO_VALIDATE_URL', { SSO_LOGIN_URL: 'https://sso.example/', SSO_SERVICE_URL: 'https://reflow.example/login' }],
    [
      'SSO_VALIDATE_URL',
      { SSO_LOGIN_URL: 'http://sso.example/login', SSO_SERVICE_URL: 'https://reflow.example/login' },
    ],
    ['LOGOUT_URL', { LOGOUT_URL: '//evil.example' }],
    ['LOGOUT_URL', { LOGOUT_URL: '/\\evil.example' }],
    ['LOGOUT_URL', { LOGOUT_URL: 'javascript:alert(1)' }],
    ['SESSION_MAX_DAYS', { SESSION_MAX_DAYS: '0' }],
    ['ERROR_LOG_ICON', { ERROR_LOG_ICON: 'maybe' }],
    ['LABEL_PRINTERS', { LABEL_PRINTERS: 'bench-1' }],
    ['LABEL_PRINTERS', { LABEL_PRINTERS: '10.0.0.21:9100/203' }],
    ['LABEL_PRINTERS', { LABEL_PRINTERS: 'bench-1=10.0.0.21/203' }],
    ['LABEL_PRINTERS', { LABEL_PRINTERS: 'bench-1=10.0.0.21:9100' }],
    ['LABEL_PRINTERS', { LABEL_PRINTERS: 'bench-1=http://10.0.0.21:9100/203' }],
    ['LABEL_PRINTERS', { LABEL_PRINTERS: 'bench-1=10.0.0.21:70000/203' }],
    ['LABEL_PRINTERS', { LABEL_PRINTERS: 'bench-1=10.0.0.21:9100/999' }],
    ['LABEL_PRINTERS', { LABEL_PRINTERS: 'bench-1=10.0.0.21:9100/203,' }],
    ['LABEL_PRINTERS', { LABEL_PRINTERS: 'bench-1=10.0.0.21:9100/203, bench-1=10.0.0.22:9100/203' }],
  ])('of the session stop the start by the name of %s in %o', (name, env) => {
    expect(() => readConfig(env)).toThrow(new RegExp(`^${name}: `));
  });

  it('lead out to an address or a path, by default to the login page', () => {
    expect(readConfig({ LOGOUT_URL: 'https://portal.example/bye' }).logoutUrl).toBe('https://portal.example/bye');
    expect(readConfig({ LOGOUT_URL: '/goodbye' }).logoutUrl).toBe('/goodbye');
    expect(readConfig({ ERROR_LOG_ICON: 'off' }).errorLogIcon).toBe(false);
    const LABEL_PRINTERS = 'bench-1=10.0.0.21:9100/203, 二号台=printers.example:9101/300,v6=[fd00::21]:9100/600';
    expect(readConfig({ LABEL_PRINTERS }).labelPrinters).toEqual([
      { name: 'bench-1', host: '10.0.0.21', port: 9100, dpi: 203 },
      { name: '二号台', host: 'printers.example', port: 9101, dpi: 300 },
      { name: 'v6', host: 'fd00::21', port: 9100, dpi: 600 },
    ]);
  });

  it('know what reaches this machine only', () => {
    for (const it of ['localhost', '::1', '127.0.0.1', '127.8.9.1']) expect(isLoopback(it), it).toBe(true);
    for (const it of ['0.0.0.0', '::', '128.0.0.1', '127.0.0.1.evil.org', 'example.org', '10.0.0.1'])
      expect(isLoopback(it), it).toBe(false);
  });
});
