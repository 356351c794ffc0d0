import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BadSetting, isLoopback, readConfig } from '#server/config.ts';
import { ROOT } from '#server/root.ts';

describe('the settings', () => {
  it('have defaults for a workplace: this machine only, data in the clone, captcha on', () => {
    expect(readConfig({})).toEqual({
      production: false,
      port: 3000,
      host: '127.0.0.1',
      dataDir: join(ROOT, 'data'),
      databaseUrl: null,
      demo: null,
      captcha: true,
      sessionDays: 1,
      passwordMin: 6,
      ssoLoginUrl: null,
      timeZone: 'Asia/Shanghai',
      tls: null,
      trustProxy: false,
      insecureHttp: false,
      logLevel: 'info',
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
    ['TRUST_PROXY', { TRUST_PROXY: '1' }],
    ['INSECURE_HTTP', { INSECURE_HTTP: 'true' }],
    ['SSO', { SSO: 'maybe' }],
    ['SSO_LOGIN_URL', { SSO_LOGIN_URL: 'javascript:alert(1)' }],
    ['SSO_LOGIN_URL', { SSO_LOGIN_URL: 'sso.example' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['TIME_ZONE', { TIME_ZONE: 'Asia/Shenzhen' }],
    ['TLS_KEY', { TLS_CERT: '/cert.pem' }],
    ['TLS_CERT', { TLS_KEY: '/key.pem' }],
    ['TLS_CERT', { TLS_CERT: '/there/is/none.pem', TLS_KEY: '/there/is/none.pem' }],
    ['DATA_DIR', { NODE_ENV: 'production' }],
    ['HOST', { HOST: '0.0.0.0' }],
    ['HOST', { HOST: '::' }],
    ['HOST', { HOST: '192.168.1.20' }],
    ['HOST', { HOST: '0.0.0.0', TRUST_PROXY: 'off', INSECURE_HTTP: 'off' }],
  ])('stop the start by the name of %s in %o', (name, env) => {
    expect(() => readConfig(env)).toThrow(BadSetting);
    expect(() => readConfig(env)).toThrow(new RegExp(`^${name}: `));
  });

  it('open the server to others only with TLS, behind a proxy, or on somebody’s word', () => {
    const folder = mkdtempSync(join(tmpdir(), 'reflow-tls-'));
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    writeFileSync(cert, 'certificate');
    writeFileSync(key, 'key');
    const open = { HOST: '0.0.0.0' };
    expect(readConfig({ ...open, TRUST_PROXY: 'on' })).toMatchObject({ host: '0.0.0.0', trustProxy: true });
    expect(readConfig({ ...open, INSECURE_HTTP: 'on' })).toMatchObject({ host: '0.0.0.0', insecureHttp: true });
    expect(readConfig({ ...open, TLS_CERT: cert, TLS_KEY: key }).tls).toEqual({ cert: 'certificate', key: 'key' });
    rmSync(folder, { recursive: true });
  });

  it('lead internal users to the configured sign-on, unless it is off', () => {
    const SSO_LOGIN_URL = 'https://sso.example/login';
    expect(readConfig({ SSO_LOGIN_URL }).ssoLoginUrl).toBe(SSO_LOGIN_URL);
    expect(readConfig({ SSO_LOGIN_URL, SSO: 'off' }).ssoLoginUrl).toBeNull();
  });

  it('know what reaches this machine only', () => {
    for (const it of ['localhost', '::1', '127.0.0.1', '127.8.9.1']) expect(isLoopback(it), it).toBe(true);
    for (const it of ['0.0.0.0', '::', '128.0.0.1', '127.0.0.1.evil.org', 'example.org', '10.0.0.1'])
      expect(isLoopback(it), it).toBe(false);
  });
});
