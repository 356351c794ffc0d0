import { describe, expect, it } from 'vitest';
import { refusals } from '#domain/refusal.ts';
import { placeholdersOf, say, type ResolveArg } from '#domain/say.ts';
import en from '#i18n/en/refusals.json' with { type: 'json' };
import zh from '#i18n/zh/refusals.json' with { type: 'json' };

const plain: ResolveArg = (arg, lang) => (typeof arg === 'object' && 'zh' in arg ? arg[lang] : String(arg));

describe('say', () => {
  it('fills each placeholder, in the language asked for', () => {
    const label = { zh: '待维修', en: 'Awaiting repair' };
    expect(say('SN %{sn}: “%{node}”', { sn: 'A1', node: label }, 'zh', plain)).toBe('SN A1: “待维修”');
    expect(say('SN %{sn}: “%{node}”', { sn: 'A1', node: label }, 'en', plain)).toBe('SN A1: “Awaiting repair”');
  });

  it('lists several values as the language does', () => {
    expect(say('%{sns}', { sns: ['A', 'B'] }, 'zh', plain)).toBe('A、B');
    expect(say('%{sns}', { sns: ['A', 'B'] }, 'en', plain)).toBe('A, B');
  });

  it('has a dash where an argument is empty', () => {
    expect(say('SN %{sn} of %{no}, %{codes}', { sn: ' ', no: '', codes: [] }, 'en', plain)).toBe('SN – of –, –');
    expect(say('%{codes}', { codes: ['A', ''] }, 'zh', plain)).toBe('A、–');
  });

  it('leaves a placeholder that nothing was given for, and values that look like placeholders', () => {
    expect(say('%{a} %{toString}', {}, 'en', plain)).toBe('%{a} %{toString}');
    expect(say('%{a}', { a: '%{b} $&' }, 'en', plain)).toBe('%{b} $&');
  });
});

describe('the sentences of refusals', () => {
  it('exist for every refusal and for nothing else, in both languages', () => {
    const keys = Object.keys(refusals).sort();
    expect(Object.keys(zh).sort()).toEqual(keys);
    expect(Object.keys(en).sort()).toEqual(keys);
  });

  it.each(Object.keys(refusals) as (keyof typeof refusals)[])(
    '%s asks for the same values in both languages',
    (key) => {
      expect(placeholdersOf(zh[key])).toEqual(placeholdersOf(en[key]));
      expect(zh[key]).toMatch(/[\u4e00-\u9fff]/);
      expect(en[key]).not.toMatch(/[\u4e00-\u9fff]/);
    },
  );
});
