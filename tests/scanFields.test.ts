import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { holdsSn } from '#domain/sn.ts';
import { readModel } from '#server/definitions/read.ts';
import { ROOT } from '#server/root.ts';
import { registers } from '#tests/support/features.ts';

const filesOf = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((it) => /\.tsx?$/.test(it) && !/\.test\.tsx?$/.test(it))
    .map((it) => join(folder, it));
const pages = [...filesOf('src/app'), ...filesOf('src/features').filter((it) => it.endsWith('.tsx'))];
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** Every input that is meant to be scanned into: what is scanned there, and whether a label is read in it. */
const inputs = pages.flatMap((file) =>
  [...textOf(file).matchAll(/htmlInput(?:: |=\{)\{([^}]*'data-scan': '(\w+)'[^}]*)\}/g)].map(
    ([, input = '', kind = '']) => ({
      file,
      kind,
      reads: input.includes('...snInput'),
    }),
  ),
);

describe('the inputs that are scanned into', () => {
  it('read the label where an SN or a part is scanned, and nowhere else; only a QR code is kept as it is', () => {
    expect(inputs.length).toBeGreaterThan(8);
    const parts = inputs.filter((it) => it.kind === 'part' || it.kind === 'sn');
    expect(parts.filter((it) => !it.reads).map((it) => it.file)).toEqual(['src/app/parts/AssemblySlots.tsx']);
    expect(inputs.filter((it) => it.reads && !parts.includes(it))).toEqual([]);
    expect(textOf('src/app/parts/SnField.tsx')).toContain('...snInput');
  });

  it('leave it to one place what a scanned text means', () => {
    expect(pages.filter((it) => textOf(it).includes("normalize('NFKC')"))).toEqual([]);
    expect(pages.filter((it) => /\breadLabel\(/.test(textOf(it))).sort()).toEqual([
      'src/app/parts/scan/labels.ts',
      'src/app/parts/scan/useLabelRules.ts',
      'src/features/labels/TriedLabels.tsx',
    ]);
  });

  it('are told by their name in every list and form', () => {
    const { definitions } = readModel(registers);
    const fields = [...definitions.values()].flatMap((it) => Object.entries(it.fields));
    const sns = fields.filter(([, it]) => it.sn);
    expect(sns.length).toBeGreaterThan(20);
    expect(sns.filter(([name]) => !holdsSn(name))).toEqual([]);
    const texts = fields.filter(([, it]) => it.type === 'String');
    expect(texts.filter(([name, it]) => holdsSn(name) && !it.sn)).toEqual([]);
  });
});
