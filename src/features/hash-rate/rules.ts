import { AHEAD_MINUTES, LATEST_DAYS, MOST_RATE } from '#domain/hashRate.ts';
import { DAY_MS } from '#domain/day.ts';
import type { Problem } from '#domain/refusal.ts';
import { isUnseen } from '#domain/signs.ts';

/** One reading of one machine: TH/s at a moment in epoch ms. */
export interface Sample {
  userOid: string;
  workerId: string;
  timestamp: number;
  hashRate: number;
}

const MINUTE_MS = 60_000;
/** The labels of the lists that these are read in. */
const labels = {
  userOid: { module: 'userWorker', field: 'userOid' },
  workerId: { module: 'userWorker', field: 'workerId' },
  timestamp: { zh: '上报时间', en: 'Time' },
  hashRate: { zh: '算力（TH/s）', en: 'Hash rate (TH/s)' },
} as const;

/** What is wrong with a sample by itself, at the moment `now`. Rule: hash-rate#samples. */
export function validateSample({ userOid, workerId, timestamp, hashRate }: Sample, now: number): Problem[] {
  const missing = (['userOid', 'workerId'] as const).filter((it) => isUnseen({ userOid, workerId }[it]));
  const problems: Problem[] =
    missing.length > 0
      ? [{ key: 'required', field: missing[0], args: { fields: missing.map((it) => labels[it]) } }]
      : [];
  const when = { field: 'timestamp', args: { field: labels.timestamp } };
  if (!Number.isFinite(timestamp)) problems.push({ key: 'format', ...when });
  else if (timestamp > now + AHEAD_MINUTES * MINUTE_MS) {
    problems.push({ key: 'tooFarAhead', ...when, args: { ...when.args, minutes: AHEAD_MINUTES } });
  } else if (timestamp < now - LATEST_DAYS * DAY_MS) {
    problems.push({ key: 'tooOld', ...when, args: { ...when.args, days: LATEST_DAYS } });
  }
  const rate = { field: 'hashRate', args: { field: labels.hashRate } };
  if (!Number.isFinite(hashRate)) problems.push({ key: 'format', ...rate });
  else if (hashRate < 0) problems.push({ key: 'atLeast', ...rate, args: { ...rate.args, min: 0 } });
  else if (hashRate > MOST_RATE) problems.push({ key: 'atMost', ...rate, args: { ...rate.args, max: MOST_RATE } });
  return problems;
}

/** How many faults of a batch are told: who sent it looks at the first ones. */
const TOLD = 100;

/** What is wrong with the samples of a batch, each named as `samples.3.hashRate`. Rule: hash-rate#ingest. */
export function validateSamples(samples: readonly Sample[], now: number): Problem[] {
  const problems: Problem[] = [];
  for (const [i, sample] of samples.entries()) {
    problems.push(...validateSample(sample, now).map((it) => at(it, i)));
    if (problems.length >= TOLD) return problems.slice(0, TOLD);
  }
  return problems;
}

const at = (problem: Problem, i: number): Problem => ({ ...problem, field: `samples.${i}.${problem.field ?? ''}` });

/** Who reports: for which sites, and for one account alone where it is said; new accounts go to the home site. */
export interface Reporter {
  userId: string;
  siteId: string;
  sites: 'all' | readonly string[];
  account: string | null;
}

/** Where accounts and machines that are known stand. */
export interface Known {
  accounts: ReadonlyMap<string, { siteId: string | null }>;
  workers: ReadonlyMap<string, { siteId: string | null; userOid: string | null }>;
}

/**
 * A reporter reports accounts of its sites, or its one account; a machine is one of the account's site, and where the
 * reporter is for one account, of that account. What nobody knows yet is new. Rule: hash-rate#who-reports.
 */
export function validatePlace({ userOid, workerId }: Sample, known: Known, reporter: Reporter): Problem[] {
  const sees = (siteId: string | null) =>
    reporter.sites === 'all' || (siteId !== null && reporter.sites.includes(siteId));
  const isOwn = (userOid: string) => reporter.account === null || userOid === reporter.account;
  const account = known.accounts.get(userOid) ?? { siteId: reporter.siteId };
  if (!isOwn(userOid) || !sees(account.siteId)) {
    return [{ key: 'accountElsewhere', field: 'userOid', args: { account: userOid } }];
  }
  const worker = known.workers.get(workerId);
  if (!worker) return [];
  const isOfOther = worker.siteId !== null && worker.siteId !== account.siteId && reporter.sites !== 'all';
  return isOfOther || (worker.userOid !== null && !isOwn(worker.userOid))
    ? [{ key: 'workerElsewhere', field: 'workerId', args: { worker: workerId } }]
    : [];
}

/** The same for the samples of a batch. */
export function validatePlaces(samples: readonly Sample[], known: Known, reporter: Reporter): Problem[] {
  const problems: Problem[] = [];
  for (const [i, sample] of samples.entries()) {
    problems.push(...validatePlace(sample, known, reporter).map((it) => at(it, i)));
    if (problems.length >= TOLD) return problems.slice(0, TOLD);
  }
  return problems;
}
