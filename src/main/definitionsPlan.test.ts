import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#server/root.ts';
import { createTestDatabase } from '#tests/support/database.ts';

/** `npm run definitions:plan`, as it is called. */
function plan(env: Record<string, string>) {
  const args = [join(ROOT, 'node_modules/tsx/dist/cli.mjs'), 'src/main/definitionsPlan.ts'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: '', ...env },
  });
  return { status, stdout, stderr };
}

describe('npm run definitions:plan', () => {
  it('makes no database where there is none', () => {
    const folder = mkdtempSync(join(tmpdir(), 'reflow-plan-'));
    const DATA_DIR = join(folder, 'data');
    expect(plan({ DATA_DIR })).toEqual({
      status: 0,
      stdout: `-- There is no database in ${DATA_DIR} yet: the next start makes it, with every table.\n`,
      stderr: '',
    });
    expect(existsSync(DATA_DIR)).toBe(false);
    rmSync(folder, { recursive: true });
  });

  it('prints the change alone, or why there can be none', async () => {
    const database = await createTestDatabase();
    const { status, stdout } = plan({ DATABASE_URL: database.url });
    expect(status).toBe(0);
    expect(stdout).toMatch(/^-- migration 0001_platform\.sql;\n/);
    expect(stdout).toContain('CREATE TABLE "ubs_site" (');
    const again = plan({ DATABASE_URL: database.url });
    expect(again.stdout).toBe(stdout);
    await database.drop();
    const gone = plan({ PORT: 'none' });
    expect(gone).toMatchObject({ status: 1, stdout: '' });
    expect(gone.stderr).toMatch(/^PORT: "none" is not a whole number/);
  });

  it('says in one sentence that the database is down', () => {
    const { status, stdout, stderr } = plan({ DATABASE_URL: 'postgres://somebody@127.0.0.1:1/nothing' });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^connect ECONNREFUSED [^\n]+ \(databaseDown\)\. Check DATABASE_URL[^\n]+\n$/);
  });
});
