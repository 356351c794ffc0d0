// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { CallError } from '#app/send.ts';
import { classifyError, isWithoutVerdict } from '#app/parts/scan/answers.ts';
import { refusalKinds, type RefusalKind } from '#app/parts/scan/refusalKinds.ts';
import { refusals, type RefusalKey } from '#domain/refusal.ts';

const keys = Object.keys(refusals) as RefusalKey[];
const refusalOf = (key: RefusalKey) => {
  const { code, status = 200 }: { code: string; status?: number } = refusals[key];
  return new CallError({ status, code, msg: 'no', problems: [{ key, msg: 'no' }] });
};

describe('how a refusal is told at a station', () => {
  it('has a row for each key of the server, and for no other', () => {
    expect(Object.keys(refusalKinds).sort()).toEqual([...keys].sort());
  });

  it.each(keys)('is decided by the key: %s', (key) => {
    expect(classifyError(refusalOf(key))).toBe(refusalKinds[key]);
  });

  it.each<[RefusalKey, RefusalKind]>([
    ['duplicateSn', 'duplicate'],
    ['parcelSigned', 'duplicate'],
    ['officialSn', 'wrong'],
    ['alreadyRegistered', 'wrong'],
    ['isDevice', 'wrong'],
    ['isBoard', 'wrong'],
    ['alreadyExists', 'refused'],
    ['mismatch', 'wrong'],
    ['notTogether', 'refused'],
    ['billOtherCustomer', 'refused'],
    ['format', 'wrong'],
    ['fixed', 'refused'],
    ['notAsked', 'refused'],
    ['confirmationNotMixed', 'refused'],
    ['uploadQuota', 'refused'],
    ['tooMany', 'kept'],
  ])('tells %s as %s, whatever shares its code', (key, kind) => {
    expect(classifyError(refusalOf(key))).toBe(kind);
  });

  it('is a harmless duplicate only where the same thing was done before', () => {
    expect(keys.filter((it) => refusalKinds[it] === 'duplicate').sort()).toEqual([
      'duplicateSn',
      'packageOpen',
      'parcelSigned',
      'repairedOnSite',
    ]);
  });

  it('is no verdict where the server was not well, knew nobody or was busy with the same', () => {
    const isUnjudged = ({ status, key }: CallError) =>
      status >= 500 || [401, 409].includes(status) || key === 'tooMany';
    const all = keys.map(refusalOf);
    expect(all.filter(isWithoutVerdict)).toEqual(all.filter(isUnjudged));
  });

  it.each<[string, unknown, RefusalKind]>([
    ['no network', new CallError({ status: 0, network: true }), 'kept'],
    ['a gateway', new CallError({ status: 502 }), 'kept'],
    ['an answer that names nothing', new CallError({ status: 200, msg: 'no' }), 'refused'],
    ['a patience that ended', new DOMException('', 'TimeoutError'), 'kept'],
    ['a page that failed', new TypeError('x is undefined'), 'refused'],
  ])('is told by the transport where the server said no key: %s', (_, error, kind) => {
    expect(classifyError(error)).toBe(kind);
  });

  it('is a refusal where a newer server has a key that this page does not know', () => {
    const problems = JSON.parse('[{ "key": "toothless", "msg": "no" }]') as CallError['problems'];
    expect(classifyError(new CallError({ status: 200, problems }))).toBe('refused');
  });
});
