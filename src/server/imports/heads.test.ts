import { describe, expect, it } from 'vitest';
import type { Refusal } from '#domain/refusal.ts';
import type { ImportColumn } from '#server/imports/importer.ts';
import { headOf, readHeads } from '#server/imports/heads.ts';

const column = (name: string, zh: string, en: string): ImportColumn => {
  const label = { zh, en };
  return { name, label, field: { type: 'String', label }, required: false };
};
const found = (heads: string[], columns: ImportColumn[]) => readHeads(heads, columns).columns.map((it) => it?.name);
const refused = (heads: string[], columns: ImportColumn[]) => {
  try {
    return found(heads, columns);
  } catch (error) {
    return (error as Refusal).problems;
  }
};
const remarks = [column('remark', '备注', 'Remark'), column('note', '备注', 'Remark'), column('no', '编号', 'No.')];
const ambiguous = (head: string, ...names: string[]) => [
  {
    ...{ key: 'workbookHeadAlike', field: 'file' },
    args: { head, columns: names.map((it) => ({ zh: `备注 (${it})`, en: `Remark (${it})` })) },
  },
];

describe('a head', () => {
  it('that could be several columns is refused with their names, in whichever language', () => {
    for (const head of ['备注', 'Remark', ' remark *', 'ＲＥＭＡＲＫ'])
      expect(refused(['No.', head], remarks)).toEqual(ambiguous(head.trim(), 'remark', 'note'));
  });

  it('is given so by the template, with the name behind where it has to be', () => {
    const heads = remarks.map((it) => headOf(it, remarks));
    expect(heads.map((it) => it.en)).toEqual(['Remark (remark)', 'Remark (note)', 'No.']);
    for (const lang of ['zh', 'en'] as const)
      expect(
        found(
          heads.map((it) => `${it[lang]} *`),
          remarks,
        ),
      ).toEqual(remarks.map((it) => it.name));
  });

  it('that says the name behind the label is the one column', () => {
    expect(found(['备注 (note)', 'Remark（remark）', '编号'], remarks)).toEqual(['note', 'remark', 'no']);
    expect(found(['note', '编号'], remarks)).toEqual(['note', 'no']);
  });

  it('is a label first and a name then', () => {
    const columns = [column('amount', '金额', 'Sum'), column('qty', '数量', 'Amount')];
    for (const all of [columns, columns.toReversed()]) {
      expect(found(['Amount', 'Sum'], all)).toEqual(['qty', 'amount']);
      expect(found(['amount'], all)).toEqual(['qty']);
      expect(found(['qty'], all)).toEqual(['qty']);
    }
  });

  it('that stands twice is refused, by whatever names: nobody knows which of the two counts', () => {
    const columns = [column('amount', '金额', 'Amount'), column('no', '编号', 'No.')];
    for (const [other = '', head = ''] of [
      ['Amount', 'Amount'],
      ['金额', ' amount *'],
      ['AMOUNT', 'amount（amount）'],
    ])
      expect(refused(['No.', other, head], columns)).toEqual([
        {
          ...{ key: 'workbookHeadTwice', field: 'file' },
          args: { head: head.trim(), other, column: { zh: '金额', en: 'Amount' } },
        },
      ]);
    expect(found(['No.', 'Amount', 'Weather', 'Weather'], columns)).toEqual(['no', 'amount', undefined, undefined]);
  });

  it('of what was relabelled is that of the field which is called so now', () => {
    const columns = [column('remark', '说明', 'Note'), column('made', '备注', 'Remark')];
    expect(found(['备注', 'Note'], columns)).toEqual(['made', 'remark']);
  });
});
