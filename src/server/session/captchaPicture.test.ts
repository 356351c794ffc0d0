import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { drawn, drawnInTurn, LETTERS, newAnswer } from '#server/session/captchaPicture.ts';

const pixelsOf = (picture: Buffer) => sharp(picture).greyscale().raw().toBuffer();

describe('the picture of a captcha', () => {
  it('is made of pixels, and nothing in it says what stands on it', async () => {
    const answer = newAnswer();
    const picture = await drawn(answer);
    expect(await sharp(picture).metadata()).toMatchObject({ format: 'png', width: 264, height: 88 });
    // A PNG's chunks: head, palette, pixels and end, none of text.
    const chunks = [...picture.toString('latin1').matchAll(/(IHDR|PLTE|IDAT|IEND|tEXt|zTXt|iTXt|eXIf)/g)].map(
      ([it]) => it,
    );
    expect(new Set(chunks)).toEqual(new Set(['IHDR', 'PLTE', 'IDAT', 'IEND']));
    expect(picture.toString('latin1')).not.toContain(answer);
  });

  it('is another one each time, also of the same letters', async () => {
    const [one, other] = await Promise.all([drawn('ACEF'), drawn('ACEF')]);
    const [a, b] = [await pixelsOf(one), await pixelsOf(other)];
    const different = a.filter((it, i) => Math.abs(it - (b[i] ?? 0)) > 64).length;
    expect(different).toBeGreaterThan(a.length / 10);
  });

  it('has about as much light as dark, and no colour that is the letters’ own', async () => {
    for (let i = 0; i < 20; i++) {
      const pixels = await pixelsOf(await drawn(newAnswer()));
      const [min, max] = [Math.min(...pixels), Math.max(...pixels)];
      const dark = pixels.filter((it) => it < (min + max) / 2).length / pixels.length;
      expect(dark).toBeGreaterThan(0.2);
      expect(dark).toBeLessThan(0.8);
    }
  });

  it('shows four letters that nobody takes for one another', () => {
    const seen = new Set<string>();
    for (let i = 0; i < 500; i++) {
      const answer = newAnswer();
      expect(answer).toMatch(/^[A-Z0-9]{4}$/);
      for (const it of answer) seen.add(it);
    }
    expect([...seen].sort().join('')).toBe([...LETTERS].sort().join(''));
    for (const pair of ['0O', '1I', 'IL', '2Z', '5S', '8B', 'UV', 'MN', 'A4', '6G', 'CG', 'PR']) {
      expect([...pair].filter((it) => seen.has(it)).length, pair).toBeLessThan(2);
    }
  });

  it('is drawn one after another, and refused where too many wait', async () => {
    const asked = Array.from({ length: 80 }, () => drawnInTurn('ACEF'));
    const ended = await Promise.allSettled(asked);
    expect(ended.filter((it) => it.status === 'fulfilled')).toHaveLength(50);
    const refused = ended.find((it) => it.status === 'rejected');
    expect(refused?.reason).toMatchObject({ problems: [{ key: 'tooMany' }] });
    await expect(drawnInTurn('ACEF')).resolves.toBeInstanceOf(Buffer);
  });
});
