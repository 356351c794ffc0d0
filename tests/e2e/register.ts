import { readFileSync } from 'node:fs';

const read = (path: string) => readFileSync(new URL(`../../src/features/${path}`, import.meta.url), 'utf8');
const [, shown = ''] = /recordPages.*?\(\[([^\]]*)\]/s.exec(read('scripts.ts')) ?? [];
const pages = [...read('pages.ts').matchAll(/'(\w+):(\w+)': \(\) => import\('\.\/([^']+)'\)/g)];

/** All pages that features bring, as `module:script`. */
export const pageScripts = new Set(pages.map(([, module, btnNo]) => `${module}:${btnNo}`));

const registered = pages
  .filter(([, module, btnNo]) => !shown.includes(`'${module}:${btnNo}'`))
  .map(([, module, btnNo, file = '']) => ({ address: `/${module}List/${btnNo}`, file }));

/** The pages that features bring and that need no record, by their addresses. */
export const featurePages = registered.map((it) => it.address);

const pagesWith = (what: RegExp) => registered.filter((it) => what.test(read(it.file))).map((it) => it.address);

/** Those that are stations, which may stand alone. */
export const stationPages = pagesWith(/<(ScanStation|TestStation|RegistrationStation)\b|\buseStationKiosk\(/);

/** Of them those with a list of scans, which wait for their verdicts. */
export const queuePages = pagesWith(/<(ScanStation|TestStation|RegistrationStation)\b/);

/** The dialogs that features bring, by `module:script` or `*:script`, each with the component that it loads. */
export const dialogComponents = new Map(
  [...read('dialogs.ts').matchAll(/'([\w*]+:\w+)': (?:\(\) => import\('([^']+)'\)|(\w+)),/g)].map(
    ([, script = '', file, name]) => [script, file ?? name ?? ''] as const,
  ),
);

/** What draws nothing, or only says that it is busy: it acts at once, or after the browser's own choice of files. */
const isDirect = (file: string) =>
  [...read(file).matchAll(/^\s+(?:return )?<([A-Z]\w*)/gm)].every(([, name = '']) =>
    ['Backdrop', 'CircularProgress'].includes(name),
  );

/** The scripts whose button opens no dialog although they are loaded as one. */
export const directScripts = new Set(
  [...dialogComponents].flatMap(([script, file]) => (file.endsWith('.tsx') && isDirect(file) ? [script] : [])),
);
