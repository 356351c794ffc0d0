import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#server/root.ts';

const scripts = readdirSync(join(ROOT, 'scripts')).filter((it) => it.endsWith('.mjs'));
/** Who hands on what is asked: Playwright, and commands that ask themselves. */
const handingOn = ['e2e.mjs', 'command.mjs'];
const { scripts: named } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const programs = Object.values(named).flatMap((it) => /^tsx (\S+)$/.exec(it)?.[1] ?? []);

const sourceOf = (file: string) => readFileSync(join(ROOT, 'scripts', file), 'utf8');

const run = (file: string, ...args: string[]) => runIn([], file, ...args);

async function runIn(node: readonly string[], file: string, ...args: string[]) {
  const command = [...node, join('scripts', file), ...args];
  const asked = promisify(execFile)(process.execPath, command, { cwd: ROOT, timeout: 30_000 });
  return asked.then(
    ({ stdout }) => ({ said: stdout, code: 0 }),
    ({ stderr, code }: { stderr: string; code: number }) => ({ said: stderr, code }),
  );
}

describe('a script', () => {
  const asking = scripts.filter((it) => !handingOn.includes(it));

  it.each(asking)('%s begins nothing for an option that it does not know, and says how it is used', async (file) => {
    const { said, code } = await run(file, '--nonsense=1');
    expect(code).toBe(1);
    expect(said).toMatch(/^reflow: .*--nonsense/);
    expect(said).toMatch(/npm |node scripts\//);
  });

  it('tells its usage, and refuses values and words that it does not know', async () => {
    expect(await run('chaos.mjs', '--help')).toEqual({ said: expect.stringMatching(/^npm run chaos/), code: 0 });
    const wrong = ['--rounds=many', '--rounds', 'nonsense', 'constructor'].map((it) => run('chaos.mjs', it));
    expect((await Promise.all(wrong)).map(({ said, code }) => `${code} ${said.split('\n')[0]}`)).toEqual([
      '1 reflow: --rounds can\'t be "many".',
      "1 reflow: Option '--rounds <value>' argument missing.",
      '1 reflow: "nonsense" is not known.',
      '1 reflow: "constructor" is not known.',
    ]);
  });

  it.each(scripts.filter((it) => sourceOf(it).includes('checkNode()')))(
    '%s looks at its Node before it reads what it is asked',
    async (file) => {
      const old = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.2.0' } })";
      const { said, code } = await runIn(
        [`--import=data:text/javascript,${encodeURIComponent(old)}`],
        file,
        '--nonsense',
      );
      expect(code).toBe(1);
      expect(said).toMatch(/^reflow: Node 18\.2\.0 is too old/);
    },
  );

  it("and nothing that reads options asks an older Node for what it can't import", () => {
    expect(sourceOf('lib/options.mjs')).not.toMatch(/import \{[^}]*parseArgs/);
  });

  it.each(programs)('%s reads its options as all do', (file) => {
    expect(readFileSync(join(ROOT, file), 'utf8')).toMatch(/\b(?:readOptions|refuseWords|parseArgs)\(/);
  });

  it('that is no command of ours is none', async () => {
    expect(programs.length).toBeGreaterThan(4);
    expect(await run('command.mjs', '--nonsense')).toMatchObject({ code: 1 });
  });
});
