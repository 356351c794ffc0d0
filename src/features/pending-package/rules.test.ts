import { describe, expect, it } from 'vitest';
import { validateParcel, type Parcel } from './rules.ts';

const parcel: Parcel = {
  languageType: 'zh',
  receiveShipId: 'SF',
  receiveShipNo: 'SF1',
  repairableCount: 2,
  userName: '宁远矿业',
  mobile: '138 0000-0000',
  phone: '',
  fax: '',
  countryCode: '95',
  stateCode: '93',
  stateName: '广东省',
  cityName: '',
  street: '',
  zipcode: '',
};
const found = (part: Partial<Parcel>) => validateParcel({ ...parcel, ...part }).map((it) => `${it.key} ${it.field}`);

describe('a parcel that is registered', () => {
  it('needs no more than what is required', () => expect(found({})).toEqual([]));

  it.each(['receiveShipId', 'receiveShipNo', 'userName', 'mobile', 'countryCode', 'languageType'] as const)(
    'needs %s [S-PND-02]',
    (field) => expect(found({ [field]: '' })).toEqual([`required ${field}`]),
  );

  it.each<[count: number | null, problems: string[]]>([
    [null, ['required repairableCount']],
    [0, []],
    [100_000, []],
    [-1, ['atLeast repairableCount']],
    [1.5, ['wholeNumber repairableCount']],
    [NaN, ['wholeNumber repairableCount']],
    [100_001, ['atMost repairableCount']],
  ])('with the count %s has %s [S-PND-02]', (repairableCount, problems) =>
    expect(found({ repairableCount })).toEqual(problems),
  );

  it('needs a state while its bill is domestic, and none while it is foreign [S-PND-03]', () => {
    expect(found({ stateCode: '' })).toEqual(['required stateCode']);
    expect(found({ stateCode: '', languageType: 'en' })).toEqual([]);
    expect(found({ stateCode: '', languageType: 'en', countryCode: '95' })).toEqual([]);
  });

  it.each<[part: Partial<Parcel>, problems: string[]]>([
    [{ languageType: 'fr' }, ['format languageType']],
    [{ mobile: 'call Li' }, ['format mobile']],
    [{ mobile: '+-' }, ['format mobile']],
    [{ phone: '+1 512-555-0193' }, []],
    [{ phone: '0755#1' }, ['format phone']],
    [{ fax: 'li@example.com' }, []],
    [{ fax: 'li@example' }, ['format fax']],
    [{ fax: 'li example.com' }, ['format fax']],
    [{ userName: 'x'.repeat(101) }, ['tooLong userName']],
    [{ mobile: '1'.repeat(31) }, ['tooLong mobile']],
    [{ receiveShipNo: 'x'.repeat(65) }, ['tooLong receiveShipNo']],
  ])('%j has %j', (part, problems) => expect(found(part)).toEqual(problems));
});
