import { describe, expect, it } from 'vitest';
import { kindsOf, validatePrint, validateReprint, serialOf } from './rules.ts';
import { labelSizes, LabelKind, PRINT_DELAY } from '#domain/labelPrint.ts';

const fine = { type: '1', productVer: '4A', qty: 2, productVerType: '1', orderNo: '' };
const keys = (part: Partial<typeof fine>, kind: LabelKind = LabelKind.Device) =>
  validatePrint({ ...fine, ...part }, kind, ['4A', '4B']).map((it) => `${it.key} ${it.field}`);

describe('what may be printed', () => {
  it('is refused without a type, a version or a count [S-PRT-05]', () => {
    expect(keys({})).toEqual([]);
    expect(keys({ type: '', productVer: '', qty: 0 })).toEqual([
      'required type',
      'required productVer',
      'required qty',
    ]);
  });

  it('needs an order where it is controls, and there alone [S-PRT-06]', () => {
    expect(keys({}, LabelKind.Controls)).toEqual(['required orderNo']);
    expect(keys({ orderNo: 'PO1' }, LabelKind.Controls)).toEqual([]);
    expect(keys({}, LabelKind.Veneer)).toEqual([]);
  });

  it('knows five types and two kinds of versions [S-PRT-03]', () => {
    expect(['1', '2', '3', '4', '5'].flatMap((type) => keys({ type }))).toEqual([]);
    expect(keys({ type: '6', productVerType: '3' })).toEqual(['format type', 'format productVerType']);
    expect(keys({ productVerType: '2' })).toEqual([]);
  });

  it('is of a version that the item has, and 1 to 500 at once', () => {
    expect(keys({ productVer: '5' })).toEqual(['format productVer']);
    expect([keys({ qty: 500 }), keys({ qty: 501 }), keys({ qty: -1 }), keys({ qty: 1.5 })]).toEqual([
      [],
      ['atMost qty'],
      ['format qty'],
      ['format qty'],
    ]);
  });

  it('is a device or one of two kinds of parts', () => {
    expect([kindsOf('0'), kindsOf('1')]).toEqual([['1'], ['2', '3']]);
    expect(
      [validateReprint('3', ''), validateReprint('3', 'PO1'), validateReprint('2', '')].map((it) => it.length),
    ).toEqual([1, 0, 0]);
  });

  it('is 189 by 94 px for a device, and 800 ms after its SNs [S-PRT-08] [S-PRT-09]', () => {
    expect(labelSizes['1']).toEqual({ width: 189, height: 94 });
    expect(PRINT_DELAY).toBe(800);
  });
});

describe('a new SN', () => {
  const of = { modelCode: 'RX19', productVer: '4A', yearWeek: '2647', kind: LabelKind.Device };
  it.each([
    [of, 1, 'RX194A2647D000001'],
    [{ ...of, kind: LabelKind.Veneer }, 31, 'RX194A2647V00000Z'],
    [{ ...of, kind: LabelKind.Controls }, 32, 'RX194A2647C000010'],
    [{ ...of, modelCode: 'T7' }, 32 ** 6 - 1, '00T74A2647DZZZZZZ'],
    [{ ...of, productVer: 'V1.02' }, 2, 'RX19022647D000002'],
    [{ ...of, modelCode: '', productVer: '' }, 3, '0000002647D000003'],
  ])('has 17 characters: model, version, week, kind and number', (parts, number, sn) => {
    expect(serialOf(parts, number)).toBe(sn);
    expect(sn).toHaveLength(17);
  });

  it('is another one for each number', () => {
    const sns = Array.from({ length: 5000 }, (_, i) => serialOf(of, i * 211));
    expect(new Set(sns).size).toBe(5000);
    expect(sns.every((it) => /^[A-HJKMNP-TV-Z0-9]{17}$/.test(it))).toBe(true);
  });
});
