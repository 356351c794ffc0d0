import { exactId } from '#domain/exact.ts';
import { Refusal, refuseIfAny, type Problem } from '#domain/refusal.ts';
import { codesOfText, IssueCategory } from '#domain/issueCode.ts';
import type { Language } from '#domain/words.ts';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';

export interface IssueCode {
  codeId: number;
  code: string;
  name: string;
  billType: string;
  disposition: string | null;
  passFlag: string | null;
  imageRequired: string | null;
}

/**
 * The issue codes of a submit, in its order, each once. A code that this category does not have is refused by what was
 * sent. Rule: checking#issue-codes, refusals#codes.
 */
export async function issueCodesOf(
  ctx: Context,
  codeIds: readonly (number | string)[],
  category: IssueCategory,
  field = 'issueCodeIdList',
): Promise<IssueCode[]> {
  const wanted = [...new Set(codeIds.map(String))];
  const known = new Map((await issueCodesByIds(ctx, wanted, category)).map((it) => [String(it.codeId), it]));
  const problems: Problem[] = wanted
    .filter((id) => !known.has(id))
    .map((id) => ({ key: 'issueCode', field, args: { code: id } }));
  if (problems.length > 0) throw new Refusal(problems);
  return wanted.map((id) => known.get(id) as IssueCode);
}

/** Those of these ids that the category has; a submit holds them, so that whoever deletes one waits. Rule: definitions#in-use. */
export async function issueCodesByIds(ctx: Context, ids: readonly string[], category: IssueCategory) {
  const numbers = ids.map(exactId).filter((it) => it !== null && it < 2 ** 31);
  if (numbers.length === 0) return [];
  const rows = await choices(ctx)
    .where('codeId', '=', anyOf(numbers))
    .where('billType', '=', category)
    .$if(ctx.cache === undefined, (it) => it.forKeyShare())
    .execute();
  return rows.map((it) => named(it, ctx.lang));
}

/**
 * The codes that the records of a repair name, by their ids: those of repair, or what was found on their unit. Any other
 * is refused by what was sent. Rule: repairing#records.
 */
export async function repairCodesOf(
  ctx: Context,
  sent: readonly (number | string)[],
  found: readonly IssueCode[],
  field: string,
): Promise<Map<string, IssueCode>> {
  const ids = [...new Set(sent.map(String))];
  const own = await issueCodesByIds(ctx, ids, IssueCategory.Repair);
  const codes = new Map([...found, ...own].map((it) => [String(it.codeId), it]));
  refuseIfAny(ids.filter((id) => !codes.has(id)).map((id) => ({ key: 'issueCode', field, args: { code: id } })));
  return codes;
}

/** Codes as they stand on a bill (`FX54,UM17`), with what this category says of them; unknown ones are left out. */
export async function issueCodesOfText(
  ctx: Context,
  text: string | null,
  category: IssueCategory,
): Promise<IssueCode[]> {
  const codes = codesOfText(text);
  if (codes.length === 0) return [];
  const rows = await choices(ctx).where('code', '=', anyOf(codes)).where('billType', '=', category).execute();
  return codes.flatMap((code) => rows.filter((it) => it.code === code)).map((it) => named(it, ctx.lang));
}

/** What codes are called, all asked for at once; a code is one only within its category. */
export async function namesOfCodes({ db, lang }: Context, codes: readonly string[]) {
  const known = new Map<string, string>();
  if (codes.length > 0) {
    const rows = await db
      .selectFrom('ubs_issue_code')
      .select(['code', 'billType', 'name', 'nameEn'])
      .where('code', '=', anyOf([...new Set(codes)]))
      .execute();
    for (const it of rows) known.set(`${it.billType} ${it.code}`, lang === 'en' ? it.nameEn : it.name);
  }
  return (category: string, code: string): string | undefined => known.get(`${category} ${code}`);
}

/** All codes of a category, or one of them, by code. */
export async function issueCodesIn(ctx: Context, category?: string, code?: string): Promise<IssueCode[]> {
  let query = choices(ctx).orderBy('code').orderBy('billType');
  if (category) query = query.where('billType', '=', category);
  if (code) query = query.where('code', '=', code);
  return (await query.limit(1000).execute()).map((it) => named(it, ctx.lang));
}

const choices = ({ db }: Context) =>
  db
    .selectFrom('ubs_issue_code')
    .select(['codeId', 'code', 'name', 'nameEn', 'billType', 'disposition', 'passFlag', 'imageRequired']);

type Row = Record<
  'code' | 'name' | 'nameEn' | 'billType' | 'disposition' | 'passFlag' | 'imageRequired',
  string | null
> & {
  codeId: number | null;
};

const named = ({ nameEn, ...row }: Row, lang: Language): IssueCode => ({
  ...row,
  codeId: row.codeId ?? 0,
  code: row.code ?? '',
  billType: row.billType ?? '',
  name: (lang === 'en' ? nameEn : row.name) ?? row.name ?? '',
});
