import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../e2e/server.ts';
import { type Browser, chordActions, clickActions, expressionOf, keyActions } from './tab.ts';

/**
 * WebKitGTK's small browser by WebDriver. Only what is in front of a screen has the focus, so that it has a screen and a
 * window manager of its own.
 */
export async function startWebkit(program: string, folder: string): Promise<Browser> {
  const started: ChildProcess[] = [];
  const start = (name: string, args: string[], env: NodeJS.ProcessEnv, heard: 'pipe' | 'ignore' = 'ignore') => {
    const child = spawn(name, args, { stdio: ['ignore', 'ignore', 'ignore', heard], env });
    started.push(child);
    return child;
  };
  const screen = start(
    'Xvfb',
    ['-displayfd', '3', '-screen', '0', '1500x1000x24', '-nolisten', 'tcp'],
    process.env,
    'pipe',
  );
  const [number] = (await once(screen.stdio[3] as NodeJS.ReadableStream, 'data')) as [Buffer];
  const env = {
    ...process.env,
    ...{ DISPLAY: `:${number.toString().trim()}`, HOME: folder, TZ: 'Asia/Shanghai', LANG: 'C.UTF-8' },
  };
  start('openbox', [], env);
  const port = await freePort();
  start('WebKitWebDriver', [`--port=${port}`], env);
  const at = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${at}/status`).catch(() => null))) await pause();

  const send = async (method: 'POST' | 'DELETE', path: string, body: object = {}) => {
    const reply = await fetch(at + path, { method, ...(method === 'POST' && { body: JSON.stringify(body) }) });
    const { value } = (await reply.json()) as { value: unknown };
    if (!reply.ok) throw new Error(`${path}: ${(value as { message: string }).message}`);
    return value;
  };
  const options = { binary: program, args: ['--automation'] };
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } };
  const { sessionId } = (await send('POST', '/session', { capabilities })) as { sessionId: string };
  const session = `/session/${sessionId}`;
  await send('POST', `${session}/window/rect`, { x: 0, y: 0, width: 1440, height: 980 });
  const act = (actions: unknown) => send('POST', `${session}/actions`, { actions });
  return {
    tab: {
      open: async (url) => void (await send('POST', `${session}/url`, { url })),
      run: async (inPage, ...args) => {
        const script = `return ${expressionOf(inPage, args)}`;
        return JSON.parse((await send('POST', `${session}/execute/sync`, { script, args: [] })) as string);
      },
      press: async (pressed, gap = 0) => void (await act(keyActions(pressed, gap))),
      chord: async (...pressed) => void (await act(chordActions(pressed))),
      click: async (x, y) => void (await act(clickActions(x, y))),
    },
    close: async () => {
      await send('DELETE', session);
      for (const it of started.toReversed()) {
        const gone = once(it, 'exit');
        it.kill();
        await gone;
      }
    },
  };
}

// eslint-disable-next-line no-restricted-globals -- between two looks at what another process does
const pause = (): Promise<void> => new Promise((done) => setTimeout(done, 50));
