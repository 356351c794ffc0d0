import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ESLint } from 'eslint';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#server/root.ts';

/** Who may import whom, proven by trespassing: a wall that is written but does not stand lets everything through. */
interface Room {
  file: string;
  allowed: string[];
  trespasses: string[];
}

const otherFeature = ['#features/aging/rules.ts', '#features/aging/queries.ts', '../aging/rules.ts'];
const anyFeature = [
  ...['scripts', 'routes', 'hooks', 'jobs', 'imports', 'pages', 'dialogs'].map((it) => `#features/${it}.ts`),
  '#features/check/server.ts',
  '#features/check/rules.ts',
  '#features/check/contract.ts',
  '#features/check/CheckPage.tsx',
];
const rooms: Room[] = [
  {
    file: 'src/domain/planted.ts',
    allowed: ['#domain/sn.ts', './sn.ts', 'typebox'],
    trespasses: [
      '#features/check/rules.ts',
      '#features/scripts.ts',
      '#main/serverFeatures.ts',
      '#app/observable.ts',
      '#server/route.ts',
      '../app/store.ts',
    ],
  },
  {
    file: 'src/domain/definition/planted.ts',
    allowed: ['#domain/sn.ts', './grammar.ts'],
    trespasses: ['#server/route.ts', '../sn.ts'],
  },
  {
    file: 'src/server/planted.ts',
    allowed: ['#domain/sn.ts', '#server/route.ts', './route.ts', 'node:fs'],
    trespasses: ['#app/observable.ts', ...anyFeature, '#main/serverFeatures.ts', '../domain/sn.ts'],
  },
  {
    file: 'src/app/planted.tsx',
    allowed: ['#domain/sn.ts', '#app/theme.ts', './theme.ts', 'react'],
    trespasses: ['#server/route.ts', ...anyFeature, '#main/browserModules.tsx', '../server/route.ts'],
  },
  {
    file: 'src/main/planted.ts',
    allowed: [
      '#domain/sn.ts',
      '#server/app.ts',
      '#features/routes.ts',
      '#features/scripts.ts',
      '#main/serverFeatures.ts',
    ],
    trespasses: ['#app/App.tsx', '#features/check/server.ts', '../server/app.ts'],
  },
  {
    file: 'src/main/planted.tsx',
    allowed: ['#app/App.tsx', '#features/pages.ts', '#features/dialogs.ts', '#main/browserModules.tsx', 'react'],
    trespasses: ['#server/app.ts', '#features/check/CheckPage.tsx', '../app/App.tsx'],
  },
  ...['Planted.tsx', 'usePlanted.ts'].map((name) => ({
    file: `src/features/check/${name}`,
    allowed: [
      './rules.ts',
      './contract.ts',
      './CheckForm.tsx',
      '#domain/sn.ts',
      '#app/send.ts',
      '@mui/material/Button',
    ],
    trespasses: [
      ...otherFeature,
      '#main/browserModules.tsx',
      '#server/route.ts',
      './server.ts',
      './queries.ts',
      './queries.close.ts',
    ],
  })),
  ...['server', 'server.planted', 'queries', 'queries.planted'].map((name) => ({
    file: `src/features/check/${name}.ts`,
    allowed: ['./rules.ts', './contract.ts', './queries.ts', '#domain/sn.ts', '#server/route.ts', 'kysely'],
    trespasses: [...otherFeature, '#app/send.ts', '#features/scripts.ts', '#main/serverFeatures.ts'],
  })),
  ...['rules', 'rules.planted', 'contract', 'contract.planted'].map((name) => ({
    file: `src/features/check/${name}.ts`,
    allowed: ['./rules.ts', './contract.ts', '#domain/sn.ts', 'typebox'],
    trespasses: [...otherFeature, '#app/send.ts', '#server/route.ts', './server.ts', './queries.ts'],
  })),
  {
    file: 'src/features/scripts.ts',
    allowed: ['#domain/refusal.ts', './check/rules.ts'],
    trespasses: [
      '#app/send.ts',
      '#server/route.ts',
      './check/server.ts',
      './check/queries.ts',
      './check/CheckPage.tsx',
    ],
  },
  {
    file: 'src/features/pages.ts',
    allowed: ['#app/parts/page.ts', './check/CheckPage.tsx'],
    trespasses: ['#server/route.ts', './check/server.ts', './check/queries.ts', '../server/route.ts'],
  },
  {
    file: 'src/features/routes.ts',
    allowed: ['#server/route.ts', './check/server.ts'],
    trespasses: ['#app/send.ts', './check/CheckPage.tsx', '../app/send.ts'],
  },
];
const everywhere = ['@mui/material', '@mui/icons-material', 'xlsx'];

const eslint = new ESLint({ cwd: ROOT });
const reportsOn = async (file: string, code: string) => {
  const [result] = await eslint.lintText(code, { filePath: join(ROOT, file) });
  return result?.messages.map((it) => it.ruleId ?? it.message) ?? [];
};
const forms: ((name: string) => string)[] = [
  (name) => `import { it } from '${name}';\nit();\n`,
  (name) => `import type { It } from '${name}';\nexport type Other = It;\n`,
  (name) => `export { it } from '${name}';\n`,
  (name) => `export const load = () => import('${name}');\n`,
];

describe('the walls between the rooms', () => {
  it.each(rooms)('let through what $file may import', async ({ file, allowed }) => {
    for (const name of allowed) for (const form of forms) expect(await reportsOn(file, form(name)), name).toEqual([]);
  });

  it.each(rooms)('report every trespass from $file, in whatever form', async ({ file, trespasses }) => {
    for (const name of [...trespasses, ...everywhere]) {
      for (const form of forms) {
        const reports = await reportsOn(file, form(name));
        expect(reports, form(name)).toHaveLength(1);
        expect(reports[0]).toMatch(/^no-restricted-(imports|syntax)$/);
      }
    }
  });
});

describe('oxlint', () => {
  it('refuses `any`, a console, == for ===, and in the browser a hook that is not always called', () => {
    const folder = mkdtempSync(join(tmpdir(), 'reflow-lint-'));
    const put = (file: string, text: string) => {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    };
    const { options, rules, $schema, ...config } = JSON.parse(readFileSync(join(ROOT, '.oxlintrc.json'), 'utf8')) as {
      options: object;
      rules: Record<string, unknown>;
      $schema: string;
    };
    expect(options).toMatchObject({ typeAware: true, denyWarnings: true });
    expect($schema).toContain('oxlint');
    // Without those that must know types, which want the whole program.
    const untyped = Object.entries(rules).filter(([it]) => !/^typescript\/(?!no-explicit-any|consistent)/.test(it));
    put('.oxlintrc.json', JSON.stringify({ ...config, rules: Object.fromEntries(untyped) }));
    const hook =
      "import { useState } from 'react';\nexport const Page = ({ a }: { a: number }) => {\n  if (a > 1) useState(1);\n  return a;\n};\n";
    put('src/app/Page.tsx', hook);
    put('src/domain/any.ts', 'export const it = (a: any) => a;\n');
    put('src/domain/same.ts', 'export const it = (a: number) => a == 1;\n');
    put('src/app/said.ts', "console.log('here');\n");
    put('bench/said.ts', "console.log('here');\n");
    const oxlint = join(ROOT, 'node_modules/oxlint/bin/oxlint');
    const { stdout } = spawnSync(process.execPath, [oxlint, '--format=json', '.'], { cwd: folder, encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
    expect(diagnostics.map((it) => `${it.filename.replaceAll('\\', '/')} ${it.code}`).sort()).toEqual([
      'src/app/Page.tsx react-hooks(rules-of-hooks)',
      'src/app/said.ts eslint(no-console)',
      'src/domain/any.ts typescript(no-explicit-any)',
      'src/domain/same.ts eslint(eqeqeq)',
    ]);
  });
});

describe('the codes of refusals, which several share', () => {
  const compared = [
    "error.code === '100025'",
    "'100025' !== it.code",
    "['100002', '100007'].includes(code)",
    "code === '401'",
    'error.code === STALE',
    'failure.code !== code',
    'code === refusals.stale.code',
    'refusals[key].code === code',
  ];
  const planted = (text: string) =>
    `export const is = (code, error, failure, it, key, refusals, STALE) =>\n  [${text}, code, error, failure, it, key, refusals, STALE];\n`;

  it.each([
    'src/app/planted.ts',
    'src/features/check/Planted.tsx',
    'src/features/check/rules.ts',
    'tests/e2e/planted.ts',
  ])('are compared nowhere in %s', async (file) => {
    for (const it of compared) expect(await reportsOn(file, planted(it)), it).toContain('no-restricted-syntax');
    const allowed = ["error.key === 'stale'", "it.code === 'FX409'", 'status === 401', "code === '000000'"];
    for (const it of allowed) expect(await reportsOn(file, planted(it)), it).toEqual([]);
  });

  it('are no property of the error of a call, and a misspelt key does not compile', () => {
    const call = "import { CallError, isRefusal } from '#app/send.ts';\n";
    const errors = errorsUnder('tsconfig.app.json', {
      key: `${call}export const is = (it: unknown) => isRefusal(it, 'stale');\n`,
      misspelt: `${call}export const is = (it: unknown) => isRefusal(it, 'stael');\n`,
      compared: `${call}export const is = (it: CallError) => it.key === 'stael';\n`,
      code: `${call}export const is = (it: CallError) => it.code === SOME;\ndeclare const SOME: string;\n`,
      positional: `${call}export const no = new CallError('100025', 'no', 200, false);\n`,
    });
    expect(Object.keys(errors).sort()).toEqual(['code', 'compared', 'misspelt', 'positional']);
  });
});

/** What does not compile, by file; the configuration is ours, over a folder of planted files. */
function errorsUnder(config: string, files: Record<string, string>): Record<string, string> {
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, '.cache', 'walls-'));
  try {
    for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, `${name}.ts`), code);
    const ours = { extends: join(ROOT, config), include: ['*.ts'], exclude: [] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(ours));
    const tsc = join(ROOT, 'node_modules/@typescript/native/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
      encoding: 'utf8',
      cwd: folder,
    });
    const errors = [...stdout.matchAll(/^(\w+)\.ts\(\d+,\d+\): error (TS\d+)/gm)];
    return Object.fromEntries(errors.map((it) => [it[1], it[2] as string]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the fences of types', () => {
  const planted = {
    allowed: 'export const isSn = (text: string) => /^[A-Z0-9]+$/.test(text.trim());\n',
    page: 'export const title = () => document.title;\n',
    network: "export const ask = () => fetch('/api');\n",
    disk: "import { readFileSync } from 'node:fs';\nexport const text = () => readFileSync('/etc/hosts', 'utf8');\n",
    environment: "export const home = () => process.env['HOME'];\n",
  };

  it('keep Node and the browser out of law and contracts', () => {
    const errors = errorsUnder('tsconfig.pure.json', planted);
    expect(Object.keys(errors).sort()).toEqual(['disk', 'environment', 'network', 'page']);
  });

  it('keep the browser out of the server', () => {
    expect(Object.keys(errorsUnder('tsconfig.server.json', planted))).toEqual(['page']);
  });

  it('keep Node out of the browser', () => {
    expect(Object.keys(errorsUnder('tsconfig.app.json', planted)).sort()).toEqual(['disk', 'environment']);
  });
});
