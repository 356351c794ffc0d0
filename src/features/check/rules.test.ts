import { describe, expect, it } from 'vitest';
import { codesWithImage } from '#domain/issueCode.ts';
import { outcomeOf, powerWarning, validateCheck, validateEntry, type FoundCode } from './rules.ts';

const code = (text: string, disposition = 'repair', imageRequired = '0'): FoundCode => ({
  code: text,
  disposition,
  imageRequired,
});
const check = (codes: FoundCode[], shown = 0, repairChipCount: number | null = null) =>
  validateCheck({ codes, powerCodes: [], shown, repairChipCount }).map((it) => it.key);

/** Listed once more, by hand. Rule: checking#codes. */
const listed =
  'FX57, FX56, FX55, FX54, FXF18, PJBF, FX404, FX403, UMN99, UM99, UM11, UM97, UM87, UM77, UM67, UM47, UM37, UM27, UM17, CL15, CL17, CL19, CLNW15';

describe('a check', () => {
  it.each(listed.split(', '))('with %s needs a picture [W-CHK-09]', (it) => {
    expect(codesWithImage).toContain(it);
    const chips = it.startsWith('CL') ? 1 : null;
    expect(check([code(it)], 0, chips)).toEqual([it.startsWith('CL') ? 'imagesForChip' : 'images']);
    expect(check([code('FX01'), code(it)], 1, chips)).toEqual([]);
  });

  it('needs no picture for another code, unless the code itself says so [W-CHK-09]', () => {
    expect(codesWithImage).toHaveLength(23);
    expect(check([code('FX01')])).toEqual([]);
    expect(check([code('UM57')])).toEqual([]);
    expect(check([code('UM57', 'scrap', '1')])).toEqual(['images']);
  });

  it.each([null, 0, -1, 1.5, Number.NaN])('with a chip code needs the number of chips, not %s [W-CHK-10]', (chips) => {
    for (const it of ['C100', 'CL15', 'XL01', 'CLNW15']) expect(check([code(it)], 1, chips)).toEqual(['chips']);
  });

  it('counts no more chips than anybody repairs, with a chip code or without', () => {
    for (const it of ['CL15', 'FX01']) {
      expect(check([code(it)], 1, 100_000)).toEqual([]);
      expect(check([code(it)], 1, 100_001)).toEqual(['atMost']);
      expect(check([code(it)], 1, 1e300)).toEqual(['atMost']);
    }
  });

  it('with a chip code needs a picture [W-CHK-11]', () => {
    for (const it of ['C100', 'XL01', 'CL17']) {
      expect(check([code(it)], 0, 2)).toEqual(['imagesForChip']);
      expect(check([code(it)], 1, 2)).toEqual([]);
    }
  });

  it('counts no chips for a code that only contains C or L elsewhere', () => {
    expect(check([code('FXC1'), code('UML1')])).toEqual([]);
  });

  it('says both that chips and that a picture are missing', () => {
    expect(check([code('CL15')], 0, null)).toEqual(['chips', 'imagesForChip']);
  });

  it('asks the same of the codes of the power', () => {
    const keys = validateCheck({
      codes: [code('FX01')],
      powerCodes: [code('FX54')],
      shown: 0,
      repairChipCount: null,
    });
    expect(keys.map((it) => it.key)).toEqual(['images']);
  });

  it('keeps no-fault by itself; scrap goes with faults', () => {
    expect(check([code('NTF', 'nofault'), code('FX01')])).toEqual(['confirmationNotMixed']);
    expect(check([code('NTF', 'nofault'), code('UM57', 'scrap')])).toEqual(['confirmationNotMixed']);
    expect(check([code('UM57', 'scrap'), code('FX01')])).toEqual([]);
    expect(check([code('NTF', 'nofault'), code('NTF2', 'nofault')])).toEqual([]);
  });

  it('keeps no-fault by itself beside its power as well', () => {
    const [ntf, fault] = [code('NTF', 'nofault'), code('FX01')];
    const beside = (codes: FoundCode[], powerCodes: FoundCode[]) =>
      validateCheck({ codes, powerCodes, shown: 1, repairChipCount: null }).map((it) => it.key);
    expect(beside([ntf], [fault])).toEqual(['confirmationNotMixed']);
    expect(beside([fault], [ntf])).toEqual(['confirmationNotMixed']);
    expect(beside([ntf], [ntf])).toEqual([]);
    expect(beside([fault], [code('UM57', 'scrap')])).toEqual([]);
  });

  it('needs a code [W-CHK-07]', () => {
    expect(validateEntry({ sn: 'A', codes: 0, powerCodes: 0, powerSn: '' })).toMatchObject([{ key: 'required' }]);
    expect(validateEntry({ sn: 'A', codes: 1, powerCodes: 0, powerSn: '' })).toEqual([]);
  });

  it('needs the SN of the power whose codes are given', () => {
    expect(validateEntry({ sn: 'A', codes: 1, powerCodes: 1, powerSn: '' })).toMatchObject([{ field: 'powerSn' }]);
    expect(validateEntry({ sn: 'A', codes: 1, powerCodes: 1, powerSn: 'P1' })).toEqual([]);
  });

  it('needs a power that is another thing than the unit itself', () => {
    const entry = { codes: 1, powerCodes: 0, sn: 'A', powerSn: 'A' };
    const twice = { key: 'duplicateSn', field: 'powerSn', args: { sn: 'A' } };
    expect(validateEntry(entry)).toEqual([twice]);
    expect(validateEntry({ ...entry, powerCodes: 1 })).toEqual([twice]);
    expect(validateEntry({ ...entry, powerSn: 'P' })).toEqual([]);
  });

  it('sends to repair, or proposes scrap, or no fault', () => {
    expect(outcomeOf([code('FX01')])).toBe('repair');
    expect(outcomeOf([code('FX01'), code('UM17', 'scrap')])).toBe('scrap');
    expect(outcomeOf([code('NTF', 'nofault')])).toBe('nofault');
  });

  it('reminds of FX409 for a device without a power, and of its opposite', () => {
    expect(powerWarning('0', '', [code('FX01')])).toBe('powerMissing');
    expect(powerWarning('0', '', [code('FX409')])).toBeNull();
    expect(powerWarning('0', 'P1', [code('FX409')])).toBe('powerBesideCode');
    expect(powerWarning('1', '', [code('FX01')])).toBeNull();
  });
});
