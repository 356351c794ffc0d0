import { describe, expect, it } from 'vitest';
import { slotsOf } from '#domain/assembly.ts';
import type { Hold } from '#domain/hold.ts';
import { Node, nodes } from '#domain/nodes.ts';
import {
  rolesOf,
  stillScanned,
  validateAccepted,
  validateCanceller,
  validateCombined,
  validateOpen,
  validateScrap,
  validateUnits,
  type AcceptedUnit,
} from './rules.ts';

describe('what goes out for repair', () => {
  it('needs a site first, then SNs, then their number [S-SCR-02] [S-SCR-05]', () => {
    const found = (siteId: string, count: number | null, scanned: number) =>
      validateCombined({ siteId, count }, scanned).map((it) => [it.key, it.field]);
    expect(found('', null, 0)).toEqual([['required', 'siteId']]);
    expect(found('SZ', null, 0)).toEqual([['required', 'scrapRepairLineRequestList']]);
    expect(found('SZ', null, 2)).toEqual([['required', 'count']]);
    expect(found('SZ', 0, 2)).toEqual([['required', 'count']]);
    expect(found('SZ', 3, 2)).toEqual([['scrapCount', 'count']]);
    expect(found('SZ', 1, 2)).toEqual([['scrapCount', 'count']]);
    expect(found('SZ', 2, 2)).toEqual([]);
  });

  const unit = { sn: 'A1', siteId: 'SZ', held: null, ivyId: Node.Scrapped, mtbId: null, billStatus: null };
  it.each(nodes)('is at the node of scrap alone: %s', (ivyId) => {
    const keys = validateScrap('A1', { ...unit, ivyId }, 'SZ').map((it) => it.key);
    expect(keys).toEqual(ivyId === Node.Scrapped ? [] : ['notScrap']);
  });

  it('is of the site, on no bill that is not finished, and spoken for by nothing [S-SCR-03]', () => {
    const keys = (more: object, siteId = 'SZ') => validateScrap('A1', { ...unit, ...more }, siteId).map((it) => it.key);
    expect(validateScrap('A1', undefined, 'SZ')).toMatchObject([{ key: 'notFound' }]);
    expect(keys({}, 'NB')).toEqual(['otherSite']);
    expect(keys({ mtbId: 'MTB1', billStatus: '1' })).toEqual(['scrapOnBill']);
    expect(keys({ mtbId: 'MTB1', billStatus: '2' })).toEqual([]);
    const held = (kind: 'transfer' | 'scrapRepair' | 'consumed'): Hold => ({
      kind,
      billId: 'B1',
      since: 1,
      siteIds: ['SZ'],
    });
    expect(keys({ held: held('transfer') })).toEqual(['spokenFor']);
    expect(keys({ held: held('scrapRepair') })).toEqual(['spokenFor']);
    expect(keys({ held: held('consumed') })).toEqual(['usedUp']);
  });
});

describe('a scrap repair', () => {
  const bill = { srbId: 'SRB1', siteId: 'SZ', createBy: 'li' };
  it('is entered while it is open, once [S-OUT-10] [S-OUT-02]', () => {
    const keys = ['0', '1', '2'].map((billStatus) => validateOpen({ ...bill, billStatus }, 'id').map((it) => it.key));
    expect(keys).toEqual([[], ['outsourcingDone'], ['billState']]);
  });

  it('is given up by who made it, or who sees all sites', () => {
    const keys = (userId: string, seesAll: boolean) =>
      validateCanceller({ ...bill, billStatus: '0' }, { userId, seesAll }).map((it) => it.key);
    expect([keys('li', false), keys('wu', true), keys('wu', false)]).toEqual([[], [], ['notBillMaker']]);
  });
});

let set = 0;
const unit = (productSn: string, assistSns: string[], more: Partial<AcceptedUnit> = {}): AcceptedUnit => {
  const n = ++set;
  return {
    productSn,
    assistSns,
    checkCodes: 1,
    repairs: [{ partsType: '7' }],
    parts: slotsOf(4).map(({ name, componentType, hasQrCode }) => ({
      sn: `${name}-${n}`.toUpperCase(),
      componentType,
      qrCodeNum: hasQrCode ? 'Q'.repeat(17) : '',
    })),
    ...more,
  };
};
const keysOf = (it: AcceptedUnit, added: AcceptedUnit[] = []) => validateAccepted(it, added).map((p) => p.key);

describe('a unit that came back', () => {
  it('is whole', () => expect(keysOf(unit('M1', ['A1', 'A2']))).toEqual([]));

  it('is not its own auxiliary SN [S-OUT-05]', () =>
    expect(keysOf(unit('M1', ['A1', 'M1']))).toEqual(['notAuxiliary']));

  it.each([
    ['its main SN is one already', 'M1', ['A2']],
    ['its main SN is an auxiliary one', 'A1', ['A2']],
    ['its auxiliary SN is one already', 'M2', ['A1']],
    ['its auxiliary SN is a main one', 'M2', ['M1']],
  ])('repeats nothing of the others: %s [S-OUT-04] [S-OUT-06]', (_, productSn, assistSns) => {
    expect(keysOf(unit(productSn, assistSns), [unit('M1', ['A1'])])).toEqual(['duplicateSn']);
  });

  it('has all six parts [S-OUT-07]', () => {
    const { parts } = unit('M1', ['A1']);
    for (const [i] of parts.entries()) {
      const lacking = parts.map((it, n) => (n === i ? { ...it, sn: '' } : it));
      expect(keysOf(unit('M1', ['A1'], { parts: lacking }))).toEqual(['assemblyInfo']);
      expect(keysOf(unit('M1', ['A1'], { parts: parts.filter((_, n) => n !== i) }))).toEqual(['assemblyInfo']);
    }
  });

  it('has boards with QR codes as an assembly asks for, and no part of another unit', () => {
    const { parts } = unit('M1', ['A1']);
    const bad = parts.map((it, i) => (i === 2 ? { ...it, qrCodeNum: 'Q' } : it));
    expect(keysOf(unit('M1', ['A1'], { parts: bad }))).toEqual(['qrCodeIllegal']);
    const missing = parts.map((it, i) => (i === 2 ? { ...it, sn: 'XXXX', qrCodeNum: 'XXXX' } : it));
    expect(
      keysOf(unit('M1', ['A1'], { parts: missing }), [unit('M2', ['A2'], { parts: missing.slice(2, 3) })]),
    ).toEqual([]);
    expect(keysOf(unit('M1', ['A1'], { parts }), [unit('M2', ['A2'], { parts })])).toHaveLength(6);
  });

  it('has check issues, repair records and auxiliary SNs [S-OUT-08]', () => {
    expect(keysOf(unit('M1', ['A1'], { checkCodes: 0 }))).toEqual(['checkInfo']);
    expect(keysOf(unit('M1', ['A1'], { repairs: [] }))).toEqual(['repairInfo']);
    expect(keysOf(unit('M1', []))).toEqual(['auxiliaryInfo']);
    expect(keysOf(unit('M1', [], { parts: [], checkCodes: 0, repairs: [] }))).toEqual([
      'assemblyInfo',
      'checkInfo',
      'repairInfo',
      'auxiliaryInfo',
    ]);
  });

  it('is one at least in a submit, and each is asked beside those before it [S-OUT-09]', () => {
    expect(validateUnits([])).toMatchObject([{ key: 'submitInfo' }]);
    expect(validateUnits([unit('M1', ['A1']), unit('M2', ['A1'])])).toMatchObject([
      { key: 'duplicateSn', field: 'list.1.assistSnList.0' },
    ]);
  });
});

describe('what was scanned', () => {
  it('is the main SN of the unit in work first, then its auxiliary ones', () => {
    const added = [{ productSn: 'M1', assistSns: ['A1'] }];
    expect(rolesOf(added, ['M1', 'A1', 'M2', 'A2', 'A3'])).toEqual({ productSn: 'M2', assistSns: ['A2', 'A3'] });
    expect(rolesOf(added, ['M1', 'A1'])).toEqual({ productSn: '', assistSns: [] });
  });

  it('takes its unit along when it is taken back', () => {
    const added = [unit('M1', ['A1', 'A2']), unit('M2', ['A3'])];
    expect(stillScanned(added, ['A1', 'M2', 'A3']).map((it) => it.productSn)).toEqual(['M2']);
    expect(stillScanned(added, ['M1', 'A2', 'M2', 'A3'])[0]?.assistSns).toEqual(['A2']);
  });
});
