import { randomBytes, randomInt } from 'node:crypto';
import sharp from 'sharp';
import { Refusal } from '#domain/refusal.ts';

type Point = readonly [x: number, y: number];
type Between = (from: number, to: number) => number;

/** Letters and digits that nobody takes for one another, however they are bent: their lines on a field of 4 by 6. */
const shapes: Record<string, string> = {
  A: '0,6 2,0 4,6|.9,4 3.1,4',
  C: '4,1 3,0 1,0 0,1.2 0,4.8 1,6 3,6 4,5',
  E: '4,0 0,0 0,6 4,6|0,3 3,3',
  F: '4,0 0,0 0,6|0,3 3,3',
  H: '0,0 0,6|4,0 4,6|0,3 4,3',
  J: '1.4,0 4,0 4,4.6 3,6 1,6 0,5',
  K: '0,0 0,6|4,0 0,3.5|1.3,2.6 4,6',
  L: '0,0 0,6 4,6',
  N: '0,6 0,0 4,6 4,0',
  P: '0,6 0,0 3,0 4,1 4,2.4 3,3.4 0,3.4',
  T: '0,0 4,0|2,0 2,6',
  X: '0,0 4,6|4,0 0,6',
  Y: '0,0 2,3 4,0|2,3 2,6',
  '6': '3.8,.7 3,0 1.2,0 0,2 0,4.8 1,6 3,6 4,5 4,4 3,3 1,3 0,4',
  '7': '0,0 4,0 1.6,6',
};
export const LETTERS = Object.keys(shapes).join('');
const LENGTH = 4;
const WIDTH = 264;
const HEIGHT = 88;

/** What stands on a picture; by the system's randomness, as everything of it is. */
export const newAnswer = (): string =>
  Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)] as string).join('');

/**
 * The answer as pixels: letters that touch, turned and bent, crossed by lines of their own thickness; light and dark
 * change places wherever shapes lie over one another. A person sees through that; a program that looks for dark letters
 * finds none that is whole, and no colour tells one shape from another. libvips draws it in a thread of its own.
 */
export async function drawn(answer: string): Promise<Buffer> {
  const between = randomness();
  const [dark, light] = [between(20, 70), between(195, 240)];
  return sharp(Buffer.from(drawing(answer, between)))
    .greyscale()
    .linear((light - dark) / 255, dark)
    .png({ palette: true, colours: 16, effort: 1 })
    .toBuffer();
}

/** Only so many wait for a picture; one after another is drawn, so that asking costs one thread at most. */
const MAX_WAITING = 50;
let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/** A picture in its turn. @throws Refusal tooMany when too many wait already. */
export async function drawnInTurn(answer: string): Promise<Buffer> {
  if (waiting >= MAX_WAITING) throw new Refusal({ key: 'tooMany', args: { seconds: 2 } });
  waiting += 1;
  const mine = last.then(() => drawn(answer));
  last = mine.catch(() => undefined);
  try {
    return await mine;
  } finally {
    waiting -= 1;
  }
}

function drawing(answer: string, between: Between): string {
  const bend = bending(between);
  const step = between(55, 58);
  const left = (WIDTH - step * (LENGTH - 1)) / 2 + between(-14, 14);
  const written = [...answer].map((letter, i) => {
    const position = placing(
      { x: left + step * i + between(-3, 3), y: HEIGHT / 2 + between(-7, 7) },
      { x: between(8.8, 10.6), y: between(8, 9.4) },
      { turn: between(-0.2, 0.2), lean: between(-0.15, 0.15) },
    );
    const lines = (shapes[letter] ?? '').split('|').map((line) => {
      const points = smooth(line.split(' ').map((it) => it.split(',').map(Number) as unknown as Point));
      return `M${points
        .map(([x, y]) =>
          bend(...position(x - 2, y - 3))
            .map((it) => it.toFixed(1))
            .join(' '),
        )
        .join('L')}`;
    });
    return stroke(lines.join(''), between(7.5, 9.5));
  });
  const curve = (from: number, to: number, spread: number) => {
    const [start, end] = [between(from, to), between(from, to)];
    const [one, two] = [start + between(-spread, spread), end + between(-spread, spread)];
    return `M-9 ${start}C${WIDTH / 3} ${one} ${(2 * WIDTH) / 3} ${two} ${WIDTH + 9} ${end}`;
  };
  const line = stroke(curve(8, 80, 60), between(1.6, 2.4));
  const half = `<path fill="#fff" d="${curve(26, 62, 50)}V200H-9Z"/>`;
  const [top, bottom] = [between(40, WIDTH - 40), between(40, WIDTH - 40)];
  const stripe = stroke(`M${top} -9Q${(top + bottom) / 2 + between(-40, 40)} 44 ${bottom} 97`, between(50, 80));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><style>path{mix-blend-mode:difference}</style>
<rect width="100%" height="100%" fill="${randomInt(2) ? '#000' : '#fff'}"/>${[stripe, half, line, ...written].join('')}</svg>`;
}

const stroke = (path: string, width: number): string =>
  `<path d="${path}" fill="none" stroke="#fff" stroke-linejoin="round" stroke-linecap="round" stroke-width="${width}"/>`;

/** With points between the points, so that a straight line can be bent. */
const smooth = (points: readonly Point[]): Point[] =>
  points.flatMap(([x, y], i) => {
    const [nextX, nextY] = points[i + 1] ?? [x, y];
    return [0, 1 / 3, 2 / 3].map((t): Point => [x + t * (nextX - x), y + t * (nextY - y)]);
  });

/** Waves of two lengths in both directions. */
function bending(between: Between): (x: number, y: number) => Point {
  const wave = (length: number, height: number) => {
    const [phase, k] = [between(0, 2 * Math.PI), (2 * Math.PI) / (length * between(0.8, 1.25))];
    return (at: number) => height * Math.sin(k * at + phase);
  };
  const [slow, fast, aside, wobble] = [wave(190, 6), wave(70, 2), wave(90, 4), wave(44, 1)];
  return (x, y) => [x + aside(y) + wobble(y), y + slow(x) + fast(x)];
}

const placing =
  (middle: { x: number; y: number }, size: { x: number; y: number }, { turn, lean }: { turn: number; lean: number }) =>
  (x: number, y: number): Point => {
    const [across, down] = [x * size.x + lean * y * size.y, y * size.y];
    return [
      middle.x + across * Math.cos(turn) - down * Math.sin(turn),
      middle.y + across * Math.sin(turn) + down * Math.cos(turn),
    ];
  };

/** Numbers between two others by the system's randomness: what `Math.random` gave can be worked out from what it gives. */
function randomness(): Between {
  const count = 128;
  const bytes = randomBytes(4 * count);
  let at = 0;
  return (from, to) => from + ((to - from) * bytes.readUInt32LE((at++ % count) * 4)) / 2 ** 32;
}
