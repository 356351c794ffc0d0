import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** npm writes this file last of all when it installs: what of the lock file is there. */
export const INSTALLED = 'node_modules/.package-lock.json';
/** build.mjs writes this file last of all. */
export const BUILT = 'dist/built';
/** The same of the commands alone (commands.mjs). */
export const BUILT_COMMANDS = 'dist/server/commands/built';
const SOURCES = [
  'src',
  'definitions',
  'i18n',
  'index.html',
  'vite.config.ts',
  'package-lock.json',
  'scripts/build.mjs',
  'scripts/lib/serverBundle.mjs',
  'scripts/lib/serviceWorker.mjs',
];

/** Packages are missing, or others than the lock file names. By content: git gives an old lock file a new time. */
export function needsInstall(root) {
  const { '': _itself, ...named } = packagesOf(join(root, 'package-lock.json')) ?? {};
  const installed = packagesOf(join(root, INSTALLED));
  if (!installed) return true;
  // What else npm writes beside them differs between its versions.
  const isAsNamed = ([path, it]) => it.version === named[path]?.version && it.integrity === named[path].integrity;
  // Optional ones are for other platforms.
  const isThere = ([path, it]) => path in installed || it.optional || it.devOptional;
  return !Object.entries(installed).every(isAsNamed) || !Object.entries(named).every(isThere);
}

/** @returns the packages of a lock file by their folder, or `null` where there is none, or only half of one */
function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return null;
  }
}

/** The build is missing, or older than what it is made of. Tests are no part of it. */
export const needsBuild = (root) => {
  const built = timeOf(join(root, BUILT));
  return built === 0 || SOURCES.some((it) => newestUnder(join(root, it)) > built);
};

/** The commands are older than what they are made of, which is the server's part of it. */
export const needsCommands = (root) => {
  const built = timeOf(join(root, BUILT_COMMANDS));
  return (
    built === 0 ||
    ['src', 'package-lock.json', 'scripts/lib/serverBundle.mjs'].some((it) => newestUnder(join(root, it)) > built)
  );
};

/** @returns a sentence when this Node is older than `engines` in package.json allows, else `null` */
export function problemOfNode(version, engines) {
  const parts = (text) => text.replace(/^\D*/, '').split('.').map(Number);
  const [major, minor = 0] = parts(version);
  const [needMajor, needMinor = 0] = parts(engines);
  if (major > needMajor || (major === needMajor && minor >= needMinor)) return null;
  return `Node ${version} is too old; Reflow needs ${engines.replace('>=', '')} or newer (https://nodejs.org)`;
}

/** A folder counts with its own time too, so that a file taken away is noticed. */
function newestUnder(path) {
  let newest = timeOf(path);
  if (newest === 0 || !statSync(path).isDirectory()) return newest;
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (/\.test\.tsx?$/.test(entry.name)) continue;
    const inside = join(path, entry.name);
    newest = Math.max(newest, entry.isDirectory() ? newestUnder(inside) : timeOf(inside));
  }
  return newest;
}

const timeOf = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);
