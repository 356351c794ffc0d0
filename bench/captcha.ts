import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { readOptions } from '../scripts/lib/options.mjs';
import { drawn, LETTERS, newAnswer } from '#server/session/captchaPicture.ts';

/**
 * How many of the login's pictures tesseract reads. Each picture is given to it
 * as it is and prepared in the usual ways, in several segmentation modes; it has read a picture when any of all these
 * readings is the answer, which is more than a guesser has, who may send one. The same with plain letters on white, as
 * the control: there it must read most.
 */
const { values: options } = readOptions('npm run bench:captcha [-- --count 200]', { count: /^[1-9]\d*$/ });
const count = Number(options.count ?? 200);

type Prepare = (picture: Buffer) => Sharp;
const bigger = (picture: Buffer) => sharp(picture).greyscale().resize({ width: 792, kernel: 'cubic' });
const preparations: Record<string, Prepare> = {
  'as it is': (it) => sharp(it).greyscale(),
  'three times as large': bigger,
  'threshold 128': (it) => bigger(it).threshold(128),
  'threshold 90': (it) => bigger(it).threshold(90),
  negative: (it) => bigger(it).negate(),
  'median 3': (it) => sharp(it).greyscale().median(3).resize({ width: 792 }),
  'median 7, threshold': (it) => bigger(it).median(7).threshold(128),
  'blurred, threshold': (it) => bigger(it).blur(3).threshold(128),
  // Thin lines and edges alone: the areas of the background are wider than any letter's line.
  'without wide areas': (it) => bigger(it).convolve(laplace),
  edges: (it) => bigger(it).blur(2).convolve(laplace).negate(),
};
const laplace = { width: 3, height: 3, kernel: [-1, -1, -1, -1, 8, -1, -1, -1, -1] };
const modes = [6, 7, 8, 13];

/** The answer in the letters of a font, dark on white. */
const plain = (answer: string): Promise<Buffer> =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="264" height="88"><rect width="100%" height="100%" fill="#fff"/>
<text x="132" y="62" font-family="DejaVu Sans" font-size="52" text-anchor="middle">${answer}</text></svg>`),
  )
    .png()
    .toBuffer();

interface Figures {
  any: number;
  best: [way: string, read: number];
}

async function read(count: number, draw: (answer: string) => Promise<Buffer>): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'reflow-captcha-'));
  const answers = Array.from({ length: count }, newAnswer);
  const pictures = await Promise.all(answers.map(draw));
  const readAtAll = new Set<number>();
  let best: Figures['best'] = ['', 0];
  for (const [name, prepare] of Object.entries(preparations)) {
    const files = await Promise.all(
      pictures.map(async (picture, i) => {
        const file = join(folder, `${i}.png`);
        await prepare(picture)
          .extend({ top: 20, bottom: 20, left: 20, right: 20, extendWith: 'copy' })
          .png()
          .toFile(file);
        return file;
      }),
    );
    writeFileSync(join(folder, 'list.txt'), files.join('\n'));
    for (const mode of modes) {
      const texts = tesseract(folder, mode);
      const hits = answers.flatMap((answer, i) => (texts[i] === answer ? [i] : []));
      for (const it of hits) readAtAll.add(it);
      if (hits.length > best[1]) best = [`${name}, mode ${mode}`, hits.length];
    }
  }
  rmSync(folder, { recursive: true });
  return { any: readAtAll.size, best };
}

/** What it reads in each picture of the list, as a sender would clean it. */
function tesseract(folder: string, mode: number): string[] {
  const asked = ['list.txt', 'out', '--psm', String(mode), '-l', 'eng'];
  const done = spawnSync('tesseract', [...asked, '-c', `tessedit_char_whitelist=${LETTERS}${LETTERS.toLowerCase()}`], {
    cwd: folder,
    env: { ...process.env, OMP_THREAD_LIMIT: '1' },
  });
  if (done.status !== 0) throw new Error(`tesseract: ${String(done.error ?? done.stderr)}`);
  const pages = readFileSync(join(folder, 'out.txt'), 'utf8').split('\f');
  return pages.map((it) => it.replace(/\s/g, '').toUpperCase());
}

const say = (what: string, count: number, { any, best }: Figures) =>
  console.log(
    `${what}: ${any} of ${count} (${((100 * any) / count).toFixed(1)} %) in any way; best way ${best.join(': ')}`,
  );

const began = performance.now();
for (let i = 0; i < 50; i++) await drawn(newAnswer());
console.log(`One picture: ${((performance.now() - began) / 50).toFixed(1)} ms`);
say('Plain letters (control)', 20, await read(20, plain));
say('The login’s pictures', count, await read(count, drawn));
