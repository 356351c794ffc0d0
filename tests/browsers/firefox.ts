import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chordActions, clickActions, expressionOf, keyActions } from './tab.ts';

/** As people have it: what Firefox would set for tests switches its pop-up blocker off. */
const PREFERENCES = {
  'remote.prefs.recommended': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.aboutwelcome.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'browser.download.folderList': 2,
  'print.always_print_silent': true,
  print_printer: 'Mozilla Save to PDF',
  'print.printer_Mozilla_Save_to_PDF.print_to_file': true,
};

/** Firefox by WebDriver BiDi, with a profile of its own in this folder. */
export async function startFirefox(program: string, folder: string): Promise<Browser> {
  const [profile, downloads, prints] = ['profile', 'downloads', 'prints'].map((it) => join(folder, it)) as [
    string,
    string,
    string,
  ];
  for (const it of [profile, downloads, prints]) mkdirSync(it);
  const preferences = {
    ...PREFERENCES,
    'browser.download.dir': downloads,
    'print.printer_Mozilla_Save_to_PDF.print_to_filename': join(prints, 'print.pdf'),
  };
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`);
  writeFileSync(join(profile, 'user.js'), lines.join('\n'));
  const child = spawn(program, ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: folder, TZ: 'Asia/Shanghai' },
  });
  let said = '';
  const address = await new Promise<string>((found, fail) => {
    child.stderr.on('data', (part: Buffer) => {
      said += part.toString();
      const at = /BiDi listening on (\S+)/.exec(said)?.[1];
      if (at) found(at);
    });
    child.once('error', fail);
    child.once('exit', () => fail(new Error(`Firefox ended: ${said}`)));
  });
  const send = await connect(`${address}/session`);
  await send('session.new', { capabilities: {} });
  // The first page has no focus, whatever is done.
  const { context } = await send('browsingContext.create', { type: 'tab' });
  await send('browsingContext.activate', { context });
  await send('browsingContext.setViewport', { context, viewport: { width: 1440, height: 900 } });
  const act = (actions: unknown) => send('input.performActions', { context, actions });
  return {
    downloads,
    prints,
    tab: {
      open: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
      run: async (inPage, ...args) => {
        const answer = await send('script.evaluate', {
          ...{ expression: expressionOf(inPage, args), target: { context } },
          ...{ awaitPromise: true, userActivation: false },
        });
        const { result, exceptionDetails } = answer as Evaluated;
        if (!result) throw new Error(exceptionDetails?.text);
        return JSON.parse(result.value);
      },
      press: async (pressed, gap = 0) => void (await act(keyActions(pressed, gap))),
      chord: async (...pressed) => void (await act(chordActions(pressed))),
      click: async (x, y) => void (await act(clickActions(x, y))),
    },
    close: async () => {
      const gone = once(child, 'exit');
      void send('browser.close', {}).catch(() => undefined);
      await gone;
    },
  };
}

interface Evaluated {
  result?: { value: string };
  exceptionDetails?: { text: string };
}
interface Message {
  id: number;
  result?: Record<string, string>;
  message?: string;
}

/** What sends a command and gives its result. */
async function connect(address: string) {
  const socket = new WebSocket(address);
  const waiting = new Map<number, (answer: Message) => void>();
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as Message;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  await once(socket, 'open');
  let last = 0;
  return async (method: string, params: object) => {
    const id = ++last;
    const answered = new Promise<Message>((done) => waiting.set(id, done));
    socket.send(JSON.stringify({ id, method, params }));
    const { result, message } = await answered;
    if (!result) throw new Error(`${method}: ${message}`);
    return result;
  };
}
