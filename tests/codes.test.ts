import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import * as enums from '#domain/enums.ts';
import { filesIn, read } from './support/pages.ts';

/** The codes that are words, such as `Rollbacked`: nothing else is called so. */
const words = Object.values(enums)
  .flatMap((it) => (typeof it === 'object' && !Array.isArray(it) ? Object.values(it) : it))
  .filter((it): it is string => typeof it === 'string' && /^[A-Z]\w+$/.test(it));

/** The other codes: a digit, or a node. */
const CODE = /^(?:\d|[1-9]00?)$/;

/** A code as text in a statement: `= '2'`, `IN ('0', '2')`, `ELSE '0'`. An `interval '0'` is none. */
const IN_SQL = /(?:[=<>(,|]|\b(?:FROM|THEN|ELSE|SELECT))\s*'(\d{1,3})'/;

/** Where a source writes a code as text, though it has a name. */
function codesIn(file: string, code: string): string[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isText = ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node);
    const isCompared =
      isText && ts.isBinaryExpression(node.parent) && /^[!=]==$/.test(node.parent.operatorToken.getText());
    const isWord = isText && words.some((it) => node.text === it || node.text.includes(`'${it}'`));
    if (isWord || (isText && IN_SQL.test(node.text)) || (isCompared && CODE.test(node.text))) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${file}:${line + 1}: ${node.getText()}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe('codes that have a name', () => {
  it('are written by it, in code and in statements', () => {
    const sources = ['domain', 'server', 'app', 'features', 'main']
      .flatMap((it) => filesIn(join('src', it), ['.ts', '.tsx']))
      .filter((it) => !/\.test\.tsx?$/.test(it) && it !== join('src', 'domain', 'enums.ts'));
    expect(sources.length).toBeGreaterThan(500);
    expect(words).toEqual(expect.arrayContaining(['Normal', 'Rollbacked', 'PICKUP']));
    expect(sources.flatMap((it) => codesIn(it, read(it)))).toEqual([]);
  });

  it.each([
    "row.operateStatus = 'Normal'",
    'sql`t."operateStatus" = \'Rollbacked\'`',
    "sql`SET scrap = '1', id = ${id}`",
    "sql`${a} = 1 AND \"receiveStatus\" IN ('0', '2')`",
    "sql`CASE WHEN ${is} THEN '1' END`",
    "row.billStatus === '2'",
    "row.ivyId !== '900'",
  ])('would be found out in %s', (code) => {
    expect(codesIn('planted.ts', code)).toHaveLength(1);
  });
});
