import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#server/root.ts';

interface Fault {
  kind: string;
  at: number;
  from: string;
  to: string;
  line: number;
}
type Chosen = Fault & { number: number; room: string; file: string; untyped: boolean };
const { chooseMutants, mutantsOf, planted, roomOf } = (await import(join(ROOT, 'scripts/lib/mutants.mjs'))) as {
  chooseMutants: (
    files: string[],
    read: (file: string) => string,
    wanted: { seed: number; count: number },
    wrong: (chosen: Chosen[]) => Promise<Set<string>>,
  ) => Promise<Chosen[]>;
  mutantsOf: (file: string, source: string) => Fault[];
  planted: (source: string, fault: Fault) => string;
  roomOf: (file: string) => string | undefined;
};

/** What the line becomes by each fault, by its kind. */
const becomes = (line: string, file = 'src/domain/a.ts') =>
  mutantsOf(file, line).map((it) => `${it.kind}: ${planted(line, it)}`);

describe('npm run mutations', () => {
  it('turns comparisons, conditions, flags, numbers and branches', () => {
    expect(becomes('const a = b < 3 && !c;')).toEqual([
      'operator: const a = b < 3 || !c;',
      'condition gone: const a = b < 3;',
      'condition gone: const a = !c;',
      'comparison: const a = b <= 3 && !c;',
      'number: const a = b < 4 && !c;',
      'flag: const a = b < 3 && c;',
    ]);
    expect(becomes('const a = b ? c : true;')).toEqual([
      'branches: const a = b ? true : c;',
      'flag: const a = b ? c : false;',
    ]);
  });

  it('leaves out statements, guards, options and calls', () => {
    expect(becomes('if (a) throw b;')).toEqual(['statement gone: ;']);
    expect(becomes('await lock(a);')).toEqual(['statement gone: ;']);
    expect(becomes('go({ a, b: c });')).toEqual([
      'statement gone: ;',
      'property gone: go({  b: c });',
      'property gone: go({ a,  });',
    ]);
    expect(becomes('const a = b.where(c);')).toEqual(['call gone: const a = b;']);
    expect(becomes('const a = Nullable(b);')).toEqual(['call gone: const a = b;']);
  });

  it('turns words of SQL, where it is SQL', () => {
    expect(becomes('const a = sql`b >= ${c} AND d`;')).toEqual([
      'SQL: const a = sql`b > ${c} AND d`;',
      'SQL: const a = sql`b >= ${c} OR d`;',
    ]);
    expect(becomes('const a = `b >= ${c} AND d`;')).toEqual([]);
  });

  it('leaves out what a component is given, but not how it looks; types and imports are no faults', () => {
    expect(becomes('const a = <B sx={{ m: 1 }} disabled={c} />;', 'src/app/A.tsx')).toEqual([
      'attribute gone: const a = <B sx={{ m: 1 }}  />;',
    ]);
    expect(becomes("import type { A } from './b.ts';\nexport type C = A & { d: 1 };")).toEqual([]);
  });

  it('leaves a definition JSON, in which what people read stays', () => {
    const file = 'definitions/workflow/rmaRepairBill.json';
    const source = readFileSync(join(ROOT, file), 'utf8');
    const faults = mutantsOf(file, source);
    expect([...new Set(faults.map((it) => it.kind))].sort()).toEqual(['flag', 'number', 'setting gone']);
    for (const it of faults) {
      expect(() => JSON.parse(planted(source, it)) as unknown, `line ${it.line}`).not.toThrow();
      expect(it.from).not.toMatch(/^\s*"(?:zh|en)"/);
    }
  });

  it('knows the rooms, and what belongs to none', () => {
    expect(
      [
        'definitions/workflow/rmaRepairBill.json',
        'src/features/repair/contract.ts',
        'src/app/shell/Guard.tsx',
        'src/features/repair/queries.ts',
        'src/features/repair/rules.ts',
        'src/server/app.ts',
        'src/domain/sn.test.ts',
        'src/server/migrations/0001.ts',
        'src/server/demo/fill.ts',
        'README.md',
      ].map(roomOf),
    ).toEqual(['definitions', 'contracts', 'components', 'queries', 'rules', 'calls', ...Array(4).fill(undefined)]);
  });

  describe('chooses', () => {
    const files = ['a', 'b', 'c'].flatMap((it) => [`src/domain/${it}.ts`, `src/app/${it}.tsx`]);
    const read = () => 'if (a) b(1);\nconst c = d < 2;';
    const choose = (seed: number, wrong: (chosen: Chosen[]) => string[] = () => []) =>
      chooseMutants(files, read, { seed, count: 4 }, (chosen) => Promise.resolve(new Set(wrong(chosen))));

    it('a room after the other, each in another file, the same for the same seed', async () => {
      const chosen = await choose(36);
      expect(chosen.map((it) => it.room)).toEqual(['components', 'rules', 'components', 'rules']);
      expect(new Set(chosen.map((it) => it.file)).size).toBe(4);
      expect(await choose(36)).toEqual(chosen);
      expect(await choose(37)).not.toEqual(chosen);
    });

    it('anew what does not compile, and tells of what never does', async () => {
      const first = await choose(36);
      const looks: Chosen[][] = [];
      const chosen = await choose(36, (all) => {
        looks.push(all.map((it) => ({ ...it })));
        return looks.length === 1 ? [first[1]!.file, first[2]!.file] : [first[2]!.file];
      });
      expect(looks).toHaveLength(3);
      expect(chosen.map((it) => it.untyped)).toEqual([false, false, true, false]);
      const { file, at, from, to } = first[1]!;
      expect(chosen[1]).toMatchObject({ file });
      expect(chosen[1]).not.toMatchObject({ at, from, to });
      expect(chosen[0]).toEqual(first[0]);
    });
  });
});
