import { dirname, join } from 'node:path/posix';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { filesIn, read } from './support/pages.ts';

/** What a module exports, and what it asks of others: `path name`, or `path *` where it takes all. */
interface Module {
  exports: readonly string[];
  asks: readonly string[];
}

/** The path that a name stands for in a module of ours. */
const pathOf = (name: string, importer: string): string =>
  name.startsWith('.')
    ? join(dirname(importer), name)
    : name.replace('#tests/', 'tests/').replace(/^#(app|domain|features|main|server)\//, 'src/$1/');

const hasModifier = (node: ts.Node, kind: ts.SyntaxKind): boolean =>
  ts.canHaveModifiers(node) && (ts.getModifiers(node)?.some((it) => it.kind === kind) ?? false);

function namesOf(node: ts.Node): string[] {
  if (!hasModifier(node, ts.SyntaxKind.ExportKeyword)) return [];
  if (hasModifier(node, ts.SyntaxKind.DefaultKeyword)) return ['default'];
  if (ts.isVariableStatement(node)) return node.declarationList.declarations.flatMap((it) => bound(it.name));
  const name = ts.getNameOfDeclaration(node as ts.Declaration);
  return name && ts.isIdentifier(name) ? [name.text] : [];
}
const bound = (name: ts.BindingName): string[] =>
  ts.isIdentifier(name) ? [name.text] : name.elements.flatMap((it) => (ts.isBindingElement(it) ? bound(it.name) : []));

function asked(node: ts.Node): string[] {
  if (ts.isImportDeclaration(node)) {
    const { name, namedBindings } = node.importClause ?? {};
    return [...(name ? ['default'] : []), ...(namedBindings ? elementsOf(namedBindings) : [])];
  }
  if (ts.isExportDeclaration(node)) return node.exportClause ? elementsOf(node.exportClause) : ['*'];
  return ['*'];
}
const elementsOf = (it: ts.NamedImportBindings | ts.NamedExportBindings): string[] =>
  ts.isNamedImports(it) || ts.isNamedExports(it)
    ? it.elements.map((one) => (one.propertyName ?? one.name).text)
    : ['*'];

const isImport = (called: ts.Expression): boolean =>
  called.kind === ts.SyntaxKind.ImportKeyword ||
  (ts.isPropertyAccessExpression(called) && called.name.text === 'importActual');

/** The module that a node names: of an import or export, an import in an expression, or one in a type. */
function moduleOf(node: ts.Node): string | undefined {
  let name: ts.Node | undefined;
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) name = node.moduleSpecifier;
  else if (ts.isCallExpression(node) && isImport(node.expression)) name = node.arguments[0];
  else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) name = node.argument.literal;
  return name && ts.isStringLiteral(name) ? name.text : undefined;
}

function parse(path: string, code: string): Module {
  const [exports, asks]: [string[], string[]] = [[], []];
  const visit = (node: ts.Node): void => {
    exports.push(...namesOf(node));
    const module = moduleOf(node);
    if (module) asks.push(...asked(node).map((it) => `${pathOf(module, path)} ${it}`));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, code, ts.ScriptTarget.Latest));
  return { exports, asks };
}

/** What no other module asks for, by `path name`. */
function unusedIn(modules: ReadonlyMap<string, Module>): string[] {
  const used = new Set([...modules.values()].flatMap((it) => it.asks));
  return [...modules].flatMap(([path, { exports }]) =>
    used.has(`${path} *`) ? [] : exports.map((it) => `${path} ${it}`).filter((it) => !used.has(it)),
  );
}

describe('exports', () => {
  it('of the sources are asked for by another file', () => {
    const paths = ['src', 'tests', 'bench'].flatMap((it) => filesIn(it, ['.ts', '.tsx']));
    const modules = new Map(paths.map((it) => [it, parse(it, read(it))]));
    // The types of all tables are written by a command, whoever asks for them.
    const unused = unusedIn(modules).filter((it) => !it.startsWith('src/server/db/tables.ts '));
    expect(unused.filter((it) => it.startsWith('src/'))).toEqual([]);
    expect([...modules.values()].flatMap((it) => it.exports).length).toBeGreaterThan(2000);
  });

  it('are told from those that nobody asks for', () => {
    const modules = new Map([
      ['src/app/a.ts', 'export const a = 1, { b } = a;\nexport type C = 1;\nexport default function d() {}\n'],
      ['src/app/e.ts', "import { a as f } from './a.ts';\nexport * from '#app/g.ts';\n"],
      ['src/app/g.ts', 'export function g() {}\n'],
      ['src/app/h.ts', 'export class H {}\n'],
      ['src/app/i.ts', "const it = () => import('./h.ts');\n"],
    ] as const);
    const parsed = new Map([...modules].map(([path, code]) => [path as string, parse(path, code)]));
    expect(unusedIn(parsed)).toEqual(['src/app/a.ts b', 'src/app/a.ts C', 'src/app/a.ts default']);
  });
});
