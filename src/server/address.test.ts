import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addressOf, networkOf } from '#server/address.ts';
import { readConfig, type Config } from '#server/config.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';

const PROXY = '10.9.0.1';
const CLIENT = '203.0.113.7';

/** Chains as somebody sends them who wants to be somebody else; the proxy adds whom it saw at their end. */
const forged: readonly ((i: number) => string)[] = [
  (i) => `198.51.100.${i}`,
  (i) => `198.51.100.${i}, 192.0.2.${i}`,
  (i) => `127.0.0.1, 10.9.0.${i}`,
  (i) => `unknown, for=${i}`,
  (i) => `${'1.1.1.1, '.repeat(50)}2.2.2.${i}`,
  (i) => `::ffff:198.51.100.${i}`,
  (i) => `"; DROP ${i}`,
  () => ',,,',
];

describe.each<[string, Config['trustProxy']]>([
  ['one proxy in front', 1],
  ['a proxy of this address', [PROXY]],
  ['a proxy of this range', ['10.9.0.0/16']],
])('behind %s', (_, trustProxy) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await startTestApp({ trustProxy });
  });
  afterAll(() => testApp.close());
  beforeEach(async () => {
    await testApp.db.deleteFrom('login_attempt').execute();
  });

  const ask = (url: string, chain: string | undefined, more: object = {}, remoteAddress = PROXY) =>
    testApp.app.inject({
      method: 'POST',
      url: `${url}?lang=en`,
      remoteAddress,
      headers: chain === undefined ? {} : { 'x-forwarded-for': chain },
      ...more,
    });
  const guess = async (userId: string, chain: string | undefined) =>
    (await ask('/api/login.json', chain, { payload: { userId, password: 'wrong' } })).json<{ code: string }>().code;

  it('a guesser is locked after five, whatever the chain claims', async () => {
    const codes: string[] = [];
    for (let i = 0; i < 120; i++) codes.push(await guess('tech', `${forged[i % forged.length]?.(i) ?? ''}, ${CLIENT}`));
    expect(codes.filter((it) => it === '100048')).toHaveLength(5);
    expect(codes.slice(5).every((it) => it === '100049' || it === '100046')).toBe(true);
  });

  it('every limit by address counts whom the proxy saw', async () => {
    const entry = { type: 'script', message: 'x', url: 'https://reflow.example/', time: 1 };
    for (let i = 1; i <= 3; i++) {
      await guess(`name${i}`, `198.51.100.${i}, ${CLIENT}`);
      await ask('/api/save_error_logger', `198.51.100.${i}, ${CLIENT}`, { payload: entry });
    }
    const { rows } = await sql<{ bucket: string; fails: number }>`
      SELECT bucket, fails FROM login_attempt WHERE bucket NOT LIKE 'account %' AND fails > 1 ORDER BY 1`.execute(
      testApp.db,
    );
    expect(rows).toEqual(
      ['errors', 'failures', 'failures', 'login'].flatMap((it, i) =>
        i === 1 ? { bucket: 'failures', fails: 3 } : { bucket: `${it} ${CLIENT}`, fails: 3 },
      ),
    );
  });
});

describe('without a proxy, or from elsewhere than from it', () => {
  let testApp: TestApp;
  let named: TestApp;
  beforeAll(async () => {
    [testApp, named] = await Promise.all([startTestApp(), startTestApp({ trustProxy: [PROXY] })]);
  });
  afterAll(() => Promise.all([testApp.close(), named.close()]));

  it('no forwarded address is believed', async () => {
    for (const it of [testApp, named]) {
      const codes: string[] = [];
      for (let i = 0; i < 8; i++) {
        const reply = await it.app.inject({
          method: 'POST',
          url: '/api/login.json',
          remoteAddress: '203.0.113.99',
          headers: { 'x-forwarded-for': `198.51.100.${i}` },
          payload: { userId: 'tech', password: 'wrong' },
        });
        codes.push(reply.json<{ code: string }>().code);
      }
      expect(codes.slice(5)).toEqual(['100049', '100049', '100049']);
    }
  });
});

describe('an address', () => {
  const of = (ip: string, remoteAddress = '10.0.0.9') => addressOf({ ip, socket: { remoteAddress } });

  it('is not known of who has hung up before the answer, and that is no error', () => {
    expect(addressOf({ ip: undefined, socket: { remoteAddress: undefined } })).toBe('');
  });

  it('is read without port, brackets and disguise; what is none is not believed', () => {
    expect(of('203.0.113.7:51234')).toBe(CLIENT);
    expect(of('::ffff:203.0.113.7')).toBe(CLIENT);
    expect(of('[2001:db8::1]:443')).toBe('2001:db8::1');
    for (const it of ['', 'unknown', '1.2.3', '1.2.3.4.5', 'a'.repeat(1000)]) expect(of(it), it).toBe('10.0.0.9');
  });

  it('of IPv6 is counted as the network of one subscriber, in whatever spelling', () => {
    expect(networkOf(CLIENT)).toBe(CLIENT);
    const spellings = ['2001:db8:0:7::1', '2001:0DB8:0000:0007:aaaa::2', '2001:db8:0:7:1:2:3:4', '2001:db8:0:7::'];
    expect(new Set(spellings.map(networkOf))).toEqual(new Set(['2001:db8:0:7::/64']));
    expect(networkOf('2001:db8:0:8::1')).not.toBe(networkOf('2001:db8:0:7::1'));
    expect(networkOf('::1')).toBe('0:0:0:0::/64');
  });
});

describe('the setting', () => {
  it('is a number of proxies, or their addresses', () => {
    const of = (it: string) => readConfig({ TRUST_PROXY: it }).trustProxy;
    expect(of('')).toBeNull();
    expect(of('off')).toBeNull();
    expect(of('2')).toBe(2);
    expect(of('10.0.0.5, 10.1.0.0/16,loopback,fd00::/8')).toEqual(['10.0.0.5', '10.1.0.0/16', 'loopback', 'fd00::/8']);
  });

  it.each([
    'on',
    'ON',
    'true',
    'yes',
    '*',
    '0',
    '11',
    '-1',
    '1.5',
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/33',
    'nginx',
    '10.0.0.1,',
  ])('refuses %s, and says what to write instead', (it) => {
    expect(() => readConfig({ TRUST_PROXY: it })).toThrow(/^TRUST_PROXY: .*\b(write|TRUST_PROXY=1)/);
  });
});
