import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { Page } from '@playwright/test';
import { expect, test } from '#tests/e2e/journey.ts';
import { signInAs, openStation, scan, verdict } from '#tests/e2e/workshop.ts';
import {
  compare,
  FEW_ROUNDS,
  figures,
  fine,
  passedSince,
  QC,
  submitAll,
  unitsAtQc,
  workedOff,
} from '#tests/e2e/shift.ts';
import { passes } from '#tests/chaos/browser/passes.ts';

/**
 * A connection that dies without a word: no end, no error, as behind an access point that has forgotten its client.
 * What it carried is never answered; a new connection works. Rule: scanning#faults.
 */
test.describe.configure({ timeout: 600_000 + FEW_ROUNDS * 60_000 });

let wire: Awaited<ReturnType<typeof wireTo>>;
test.beforeEach(async ({ baseURL }) => void (wire = await wireTo(baseURL as string)));
test.afterEach(() => wire.close());

test('a connection that dies without a word costs no scan, and who scans hears that they are kept', async ({
  page,
  context,
  request,
}) => {
  await page.addInitScript(hurry);
  await signInAs(context, 'tech', wire.url);
  await openStation(page, wire.url + QC);
  for (let round = 0; round < FEW_ROUNDS; round++) {
    const units = await unitsAtQc(request, 6);
    const sns = [...units.keys()];
    const [first = '', ...others] = sns;
    await scan(page, first);
    await verdict(page, 'ok', first);
    wire.die();
    for (const sn of others) {
      await scan(page, sn);
      await verdict(page, 'kept', sn);
    }
    wire.revive();
    expect(await workedOff(page)).toEqual(sns);
    wire.die();
    await page.keyboard.press('Control+Enter');
    await verdict(page, 'kept');
    wire.revive();
    await submitAll(page);
    expect(compare(sns, await passedSince(request, units))).toEqual(fine);
  }
  figures(`${FEW_ROUNDS * 2} dead connections, ${FEW_ROUNDS * 6} scans: 0 lost, 0 doubled`);
});

test('control: a client that waits for what a dead connection carried is found out', async ({
  page,
  context,
  request,
}) => {
  await page.addInitScript(() => {
    AbortSignal.timeout = () => new AbortController().signal;
  });
  await signInAs(context, 'tech', wire.url);
  await openStation(page, wire.url + QC);
  const [sn = ''] = (await unitsAtQc(request, 1)).keys();
  wire.die();
  await scan(page, sn);
  await verdict(page, 'kept', sn);
  wire.revive();
  await passes(6000);
  expect(await statesOf(page)).toEqual(['checking']);
  figures('control: a scan named as never answered');
});

/** A minute of patience is three seconds here. */
function hurry(): void {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (ms) => timeout(ms / 20);
}

const statesOf = (page: Page) =>
  page.locator('tr[data-state]').evaluateAll((rows) => rows.map((it) => it.getAttribute('data-state')));

/** A way to the server whose connections can die. */
async function wireTo(baseURL: string) {
  const to = new URL(baseURL);
  const open = new Set<Socket>();
  let isDead = false;
  const server = createServer((near) => {
    open.add(near.on('error', () => undefined));
    if (isDead) return;
    const far = connect(Number(to.port), to.hostname).on('error', () => undefined);
    open.add(far);
    near.pipe(far).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `http://${to.hostname}:${port}`,
    die() {
      isDead = true;
      for (const socket of open) socket.unpipe().pause();
    },
    revive: () => void (isDead = false),
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
