import { writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { certificates } from '#tests/support/certificates.ts';
import { Node } from '#domain/nodes.ts';
import { unitOnBill } from '#tests/support/factories.ts';
import { untilWaiting } from '#tests/support/locks.ts';
import { openWorkshop, type Workshop } from '#tests/support/serverProcess.ts';

let workshop: Workshop;
beforeAll(async () => void (workshop = await openWorkshop()));
afterAll(() => workshop.close());

it('told to stop, the server says that it is not ready, answers what it was asked, and ends', async () => {
  const { db } = workshop.database;
  // Until the second signal, that is.
  const server = await workshop.start({ DRAIN_SECONDS: '300' });
  const { sn } = await unitOnBill(db, { node: Node.AwaitingTest });
  const code = db.selectFrom('ubs_issue_code').select('codeId').where('code', '=', 'AT00');
  const { codeId } = await code.executeTakeFirstOrThrow();
  const held = await db.startTransaction().execute();
  await held.selectFrom('rma_inventory').select('id').where('sn', '=', sn).forUpdate().execute();
  const submit = fetch(`${server.url}/api/rmaBurninBill/submitBurninBill.json`, {
    method: 'POST',
    headers: { token: await workshop.openToken('tech'), 'content-type': 'application/json' },
    body: JSON.stringify({ rmaBurninBillLineList: [{ sn, icdId: codeId }] }),
  });
  await untilWaiting(db, 1);
  process.kill(server.pid, 'SIGTERM');
  const ready = async () => {
    const reply = await fetch(`${server.url}/readyz`);
    const { missing } = (await reply.json()) as { missing: string[] };
    return { status: reply.status, missing };
  };
  await vi.waitUntil(async () => (await ready()).status === 503, { interval: 20 });
  expect((await ready()).missing).toEqual(['stopping']);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);

  const stopped = server.stop();
  await held.rollback().execute();
  expect(((await (await submit).json()) as { code: string }).code).toBe('000000');
  await stopped;
  expect(server.said()).toMatch(/SIGTERM: stopping …\nStopped\.\n$/);
});

it('takes a certificate that was renewed by SIGHUP, and keeps the old one where the new one cannot be used', async () => {
  const [cert, key] = ['tls.crt', 'tls.key'].map((it) => join(workshop.dataDir, it)) as [string, string];
  const put = (it: keyof typeof certificates, keyOf = it) => {
    writeFileSync(cert, certificates[it].cert);
    writeFileSync(key, certificates[keyOf].key);
  };
  put('first');
  const server = await workshop.start({ TLS_CERT: cert, TLS_KEY: key });
  const shown = () =>
    new Promise<string>((done, fail) => {
      const asked = request(`${server.url}/healthz`, { rejectUnauthorized: false, agent: false }, (reply) => {
        reply.resume();
        done((reply.socket as TLSSocket).getPeerCertificate().subject.CN as string);
      });
      asked.on('error', fail).end();
    });
  expect(await shown()).toBe('first.test');
  const renew = async (says: string) => {
    process.kill(server.pid, 'SIGHUP');
    await vi.waitUntil(() => server.said().includes(says), { interval: 20 });
  };
  put('second', 'first');
  await renew('SIGHUP: the certificate stays as it was. TLS_KEY');
  expect(await shown()).toBe('first.test');
  put('second');
  await renew('SIGHUP: the certificate was read anew.');
  expect(await shown()).toBe('second.test');
  await server.stop();
});
