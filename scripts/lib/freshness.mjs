import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** npm writes this file last of all when it installs. */
const INSTALLED = 'node_modules/.package-lock.json';
/** build.mjs writes this file last of all. */
export const BUILT = 'dist/built';
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

/** Packages are missing, or older than the lock file that names them. */
export const needsInstall = (root) => timeOf(join(root, INSTALLED)) < timeOf(join(root, 'package-lock.json'));

/** The build is missing, or older than what it is made of. Tests are no part of it. */
export const needsBuild = (root) => {
  const built = timeOf(join(root, BUILT));
  return built === 0 || SOURCES.some((it) => newestUnder(join(root, it)) > built);
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
