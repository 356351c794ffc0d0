import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * The hash of all that git knows or would take: the content of each file, committed or not. The index and the objects of the
 * clone stay as they are.
 * @param {string} root
 * @returns {string | undefined} nothing where there is no git
 */
export function hashOfTree(root) {
  const folder = git(root, ['rev-parse', '--git-path', 'index', '--git-path', 'objects']);
  if (folder === undefined) return undefined;
  const [index, objects] = folder
    .trim()
    .split('\n')
    .map((it) => resolve(root, it));
  const own = mkdtempSync(join(tmpdir(), 'reflow-tree-'));
  try {
    const env = {
      GIT_INDEX_FILE: join(own, 'index'),
      GIT_OBJECT_DIRECTORY: join(own, 'objects'),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: objects,
    };
    mkdirSync(env.GIT_OBJECT_DIRECTORY);
    // With its time: by that git knows which files may have changed in the second in which it last looked at them.
    if (existsSync(index)) cpSync(index, env.GIT_INDEX_FILE, { preserveTimestamps: true });
    if (git(root, ['add', '--all', '.'], env) === undefined) return undefined;
    return git(root, ['write-tree'], env)?.trim();
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/**
 * The files that differ from where this branch left the upstream one, or `ref`: committed, changed, new and removed ones.
 * @param {string} root
 * @param {string} [ref]
 * @returns {{ base: string, files: string[] } | undefined} nothing where git does not know `ref`
 */
export function changedFiles(root, ref) {
  const candidates = ref ? [ref] : ['@{upstream}', 'origin/main', 'main', 'HEAD'];
  const bases = candidates.map((it) => git(root, ['merge-base', 'HEAD', it])?.trim());
  const base = bases.find(Boolean);
  if (!base) return undefined;
  const changed = git(root, ['diff', '--name-only', '--no-renames', '-z', base]) ?? '';
  const untracked = git(root, ['ls-files', '--others', '--exclude-standard', '-z']) ?? '';
  const files = `${changed}${untracked}`.split('\0').filter(Boolean);
  return { base, files: [...new Set(files)].sort() };
}

function git(root, args, env = {}) {
  const options = { cwd: root, encoding: 'utf8', env: { ...process.env, ...env }, maxBuffer: 1 << 28 };
  const { status, stdout } = spawnSync('git', args, options);
  return status === 0 ? stdout : undefined;
}
