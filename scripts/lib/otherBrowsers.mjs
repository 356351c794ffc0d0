import { existsSync } from 'node:fs';
import { run, say } from './run.mjs';

const MULTIARCH = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' }[process.arch];
/** What Debian's packages bring; WebKit's browser needs a screen and a window manager to have the focus. */
const BROWSERS = {
  firefox: { programs: ['/usr/bin/firefox-esr'], packages: ['firefox-esr', 'fonts-noto-cjk'] },
  webkit: {
    programs: [
      `/usr/lib/${MULTIARCH}/webkit2gtk-4.1/MiniBrowser`,
      '/usr/bin/WebKitWebDriver',
      '/usr/bin/Xvfb',
      '/usr/bin/openbox',
    ],
    packages: ['webkit2gtk-driver', 'xvfb', 'openbox', 'fonts-noto-cjk'],
  },
};
export const NAMES = Object.keys(BROWSERS);

/**
 * The path of Firefox or of WebKit's small browser; installed where it is missing.
 * @param {string} name
 * @returns {Promise<string | null>} `null`: there is none; what to do was said
 */
export async function findBrowser(name) {
  const { programs, packages } = BROWSERS[name];
  const isThere = () => programs.every((it) => existsSync(it));
  if (!isThere() && existsSync('/usr/bin/apt-get') && process.getuid?.() === 0) {
    say(`no ${name} found, installing it …`);
    const quiet = { quiet: true, env: { DEBIAN_FRONTEND: 'noninteractive' } };
    await run('apt-get', ['update', '-q'], quiet);
    await run('apt-get', ['install', '-yq', '--no-install-recommends', ...packages], quiet);
  }
  if (isThere()) return programs[0];
  say(`no ${name}, and it could not be installed here; on Debian: apt-get install ${packages.join(' ')}`);
  return null;
}
