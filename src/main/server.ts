import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Model } from '#domain/definition/grammar.ts';
import { sayProblem } from '#domain/definition/problems.ts';
import { registers } from '#main/registers.ts';
import { features } from '#main/serverFeatures.ts';
import { buildApp } from '#server/app.ts';
import { seedCodes } from '#server/base/seed.ts';
import { BadSetting, checkTls, isLoopback, readConfig, readTls, type Config } from '#server/config.ts';
import { checkConnections } from '#server/db/connections.ts';
import { startEmbedded, StartRefused } from '#server/db/embedded.ts';
import { openNumbers } from '#server/db/numbers.ts';
import { openDatabase, openToFill } from '#server/db/pool.ts';
import { prepareDatabase } from '#server/db/prepare.ts';
import { BadDatabase } from '#server/definitions/tables.ts';
import { createHolder, followDefinitions } from '#server/definitions/follow.ts';
import { asideProblems } from '#server/definitions/makeWay.ts';
import { BadDefinitions } from '#server/definitions/read.ts';
import { saySetAside } from '#server/definitions/settle.ts';
import { openDefinitions } from '#server/definitions/service.ts';
import { fillDemo } from '#server/demo/fill.ts';
import { missingOf } from '#server/health/missing.ts';
import { startJobThread } from '#server/jobs/host.ts';
import { startHousekeeping } from '#server/housekeeping.ts';
import { ROOT } from '#server/root.ts';
import { seedRoles, ensureFirstAdmin } from '#server/session/first.ts';
import { findElsewhere, newServerNumber } from '#server/uploads/sharedFolder.ts';
import { codeOf } from '#server/transaction.ts';
import { startSending } from '#server/webSync.ts';

/** Open requests end by themselves until then. */
const GRACE_MS = 15_000;
const IDLE_MS = 100;
/** As long as other connections keep a start from bringing the database up to date, it tries. */
const PREPARE_MS = 600_000;
/** By then it is over, whatever hangs. */
const END_MS = 28_000;
/* eslint-disable-next-line no-console -- what the person who starts it reads */
const say = (line: string) => console.log(line);

/** The process: settings, database, definitions, data, listening, and going down in the reverse order. */
async function main(): Promise<void> {
  const config = readConfig();
  checkTls(config);
  const { dataDir, walArchive } = config;
  const starting = config.databaseUrl ? null : startEmbedded({ dataDir, root: ROOT, log: say, walArchive });
  // A signal that comes while it still starts waits for the database, so that none is left half made or running.
  let stop = async () => {
    await (await starting)?.stop();
    process.exit(0);
  };
  let isStopping = false;
  const leaving = new AbortController();
  const impatience = new AbortController();
  const onSignal = (signal: string) => {
    // Whoever asks twice does not wait until nobody sends calls here any more.
    if (isStopping) return impatience.abort();
    isStopping = true;
    leaving.abort();
    say(`${signal}: stopping …`);
    void stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
  let renewTls: (() => void) | undefined;
  // Without a certificate it is the terminal that was closed.
  process.on('SIGHUP', () => (renewTls ? renewTls() : onSignal('SIGHUP')));
  const embedded = await starting;
  const url = config.databaseUrl ?? (embedded?.url as string);
  try {
    const scarce = await checkConnections(url, config);
    if (scarce) say(`WARNING: ${scarce}`);
    const prepared = await prepareDatabase(url, registers, {
      ...{ say, endAfterMs: PREPARE_MS * config.patience },
    });
    if (prepared.applied.length > 0) say(`Database prepared: ${prepared.applied.length} change(s).`);
    if (prepared.asSuperuser)
      say('WARNING: DATABASE_URL names a superuser of PostgreSQL. A role that owns the database is enough.');
    for (const names of prepared.lookalikes)
      say(`WARNING: accounts whose names look alike: ${names}. Keep one of them.`);
    for (const it of prepared.leftOut)
      say(`WARNING: ${it}. The database doesn't hold this rule yet; the next start tries again.`);
    for (const problems of asideProblems(prepared.renamed).values())
      for (const it of problems) say(`WARNING: set aside: ${sayProblem(it)}.`);
    for (const it of prepared.aside) say(`WARNING: ${saySetAside(it)}. Mend it and start again, or take it back.`);
    const database = openDatabase(url, config.timeZone, {
      size: config.connections.calls,
      searchSize: config.connections.searches,
      searchMs: config.searchMs,
      patience: config.patience,
    });
    const numbers = openNumbers(url, config.timeZone, config.patience);
    const demo = await fill(url, prepared.model, {
      config,
      wantsDemo: config.demo ?? (embedded !== null && !config.production && isLoopback(config.host)),
    });
    if (demo && !isLoopback(config.host))
      say('WARNING: this host holds demo data, its passwords are known to everybody.');
    if (!config.captcha) say('WARNING: CAPTCHA=off: passwords may be guessed by machines.');

    const elsewhere = await findElsewhere(database.pool, config);
    if (elsewhere) say(`WARNING: ${elsewhere}`);

    const number = newServerNumber();
    const holder = createHolder(prepared.model, prepared.lastPublish);
    const definitions = openDefinitions(url, { pool: database.pool, registers, holder });
    const app = await buildApp({
      ...{ config, database, numbers, model: holder, definitions, demo, features },
      ...{ leaving: leaving.signal, number },
    });
    await app.listen({ port: config.port, host: config.host }).catch((error: unknown) => {
      const why = codeOf(error);
      const address = `${config.port} on ${config.host}`;
      if (why === 'EADDRINUSE')
        throw new BadSetting('PORT', `${address} is taken by another program; choose another one`);
      if (why === 'EACCES')
        throw new BadSetting('PORT', `${address} is not open to this user; choose one from 1024 on`);
      throw error;
    });
    const { port } = app.server.address() as AddressInfo;
    say(`Reflow is at ${config.tls ? 'https' : 'http'}://${config.host}:${port}`);
    if (config.tls) renewTls = () => takeCertificate(app.server as unknown as Server);
    if (demo) say('Demo users: admin, office, warehouse, tech, … with the password Reflow#2026');

    const stopTidying = startHousekeeping(database.db, {
      demo,
      onError: (error) => app.log.error({ err: error }, 'tidying failed'),
    });
    const stopSending = startSending(database.db, config.webSync, (error) =>
      app.log.error({ err: error }, 'the website was not told'),
    );
    // Only now: who waits for the first page need not wait for it.
    const jobs = startJobThread(
      { url, config, model: prepared.model, last: prepared.lastPublish, number },
      (error, what) => app.log.error({ err: error, what }, 'a job went wrong'),
    );
    const follower = await followDefinitions(url, {
      registers,
      holder,
      onModel: (...model) => jobs.useModel(...model),
      onError: (error) => app.log.error({ err: error }, 'what was published could not be followed'),
    });
    stop = async () => {
      // Whoever sends calls here asks `/readyz` and goes elsewhere meanwhile.
      await wait(config.drainSeconds * 1000, undefined, { signal: impatience.signal }).catch(() => undefined);
      setTimeout(() => {
        say('Something did not end in time; what it was doing is undone.');
        void (embedded?.stop() ?? Promise.resolve()).finally(() => process.exit(1));
      }, END_MS).unref();
      await follower.close();
      stopTidying();
      stopSending();
      const forced = setTimeout(() => {
        say('Some requests did not end in time; their connections are cut.');
        app.server.closeAllConnections();
      }, GRACE_MS);
      // What was under way was answered before it could say that its connection closes; nobody waits for such a one.
      const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_MS);
      await app.close();
      clearInterval(idle);
      clearTimeout(forced);
      await jobs.stop();
      await numbers.close();
      await database.close();
      await embedded?.stop();
      say('Stopped.');
      process.exit(0);
    };
  } catch (error) {
    if (isStopping) return;
    await embedded?.stop();
    throw error;
  }
}

/** The rows that every database begins with, and those of the demo. */
async function fill(url: string, model: Model, { config, wantsDemo }: { config: Config; wantsDemo: boolean }) {
  const database = openToFill(url, config);
  try {
    await seedRoles(database.db, model);
    await seedCodes(database.db, model);
    const now = config.demoAt ?? Date.now();
    const demo = await fillDemo({ database, model, config, wanted: wantsDemo, say, now });
    if (!demo) await ensureFirstAdmin(database.db, { dataDir: config.dataDir, say });
    return demo;
  } finally {
    await database.close();
  }
}

/** A certificate that was renewed: connections that are open keep the old one. */
function takeCertificate(server: Server): void {
  try {
    server.setSecureContext(readTls() ?? {});
    say('SIGHUP: the certificate was read anew.');
  } catch (error) {
    say(`SIGHUP: the certificate stays as it was. ${(error as Error).message}`);
  }
}

main().catch((error: unknown) => {
  const isOurs = [BadSetting, BadDefinitions, BadDatabase, StartRefused].some((it) => error instanceof it);
  const missing = missingOf(error);
  // A host with several addresses fails with one error for each, and none of its own.
  const { message, stack } = error instanceof AggregateError ? (error.errors[0] as Error) : (error as Error);
  const text = isOurs
    ? message
    : missing === 'databaseBusy'
      ? `${message} (${missing}). This machine or the database has too much to do: start again.`
      : missing
        ? `${message} (${missing}). Check DATABASE_URL, and the space and the rights of DATA_DIR.`
        : (stack ?? String(error));
  /* eslint-disable-next-line no-console -- the reason why it does not start */
  console.error(`Reflow did not start. ${text}`);
  process.exit(1);
});
