import { existsSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { ROOT } from '#server/root.ts';
import { read } from './pages.ts';

/** A function on the way of one scan, as the README draws it. */
export interface Hop {
  side: string;
  file: string;
  name: string;
}

const rooms = ['src/app/parts', 'src/app/parts/scan', 'src/server', 'src/app', 'src'];
/** A file of the drawing by its path in the repository; itself where there is none. */
export const fileOf = (drawn: string): string =>
  rooms.map((it) => join(it, drawn)).find((it) => existsSync(join(ROOT, it))) ?? drawn;

export const drawing = /^## One scan[^\n]*\n[\s\S]*?```\n([\s\S]*?)```/m.exec(read('README.md'))?.[1] ?? '';

export function readHops(): Hop[] {
  let [side, file] = ['', ''];
  return drawing.split('\n').flatMap((line) => {
    const [, drawn, names] = /^ *\d* +(?:([\w/-]+\.tsx?) +|→ )(\w+(?: → \w+)*)/.exec(line) ?? [];
    if (!names) side = line.trim() || side;
    if (drawn) file = fileOf(drawn);
    return (names?.split(' → ') ?? []).map((name) => ({ side, file, name }));
  });
}

/** The drawn functions of one side that were not called meanwhile. A route's handler has no name: its file is enough. */
export async function hopsNotTaken(side: string, work: () => Promise<unknown>): Promise<Hop[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true });
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const called = (file: string) =>
    result
      .filter(({ url }) => url.endsWith(`/${file}`))
      .flatMap(({ functions }) => functions.filter((it) => (it.ranges[0]?.count ?? 0) > 0))
      .map((it) => it.functionName);
  const isTaken = ({ file, name }: Hop) =>
    called(file).some((it) => it === name || (it === '' && file.endsWith('/server.ts')));
  return readHops().filter((it) => it.side === side && !isTaken(it));
}
