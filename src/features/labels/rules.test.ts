import { describe, expect, it } from 'vitest';
import { LabelKind } from '#domain/labelRule.ts';
import { freshDraft, isBegun, ruleOf, visible } from './rules.ts';

describe('a label that is tried', () => {
  it('shows what nobody could see', () => {
    expect(visible(']C121A\u001d10 B\r\u007f')).toBe(']C121A␝10␠B␍␡');
  });
});

describe('a rule that is typed', () => {
  it('is tried once there is something of it', () => {
    expect(isBegun(freshDraft)).toBe(false);
    expect(isBegun({ ...freshDraft, template: ' ' })).toBe(false);
    expect(isBegun({ ...freshDraft, template: 'SN:{sn}' })).toBe(true);
    expect(isBegun({ ...freshDraft, kind: LabelKind.Elements })).toBe(false);
    expect(isBegun({ ...freshDraft, kind: LabelKind.Elements, snLength: '17' })).toBe(true);
  });

  it('has a template only where it reads by one, and a length only where it is a number', () => {
    expect(ruleOf({ kind: LabelKind.Template, template: ' SN:{sn} ', snLength: '' })).toEqual({
      kind: LabelKind.Template,
      template: 'SN:{sn}',
      snLength: null,
    });
    expect(ruleOf({ kind: LabelKind.Elements, template: 'SN:{sn}', snLength: '17' })).toEqual({
      kind: LabelKind.Elements,
      template: null,
      snLength: 17,
    });
  });

  it.each(['1.5', '4,20', '-17', '17 20'])(
    'has no length where %j was entered, which is not to say any length',
    (snLength) => {
      expect(ruleOf({ ...freshDraft, snLength }).snLength).toBeNaN();
    },
  );
});
