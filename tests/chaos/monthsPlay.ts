import { startTestApp } from '#tests/support/app.ts';
import { openClock } from '#tests/support/clock.ts';
import { jobHandler } from '#server/jobs/job.ts';
import { repairSuppliers } from '#tests/support/factories.ts';
import { readCodeIds } from '#tests/support/guard.ts';
import { uploadPicture } from '#tests/support/pictures.ts';
import { findDifferences, findInMoney } from './monthsReckoned.ts';
import { daysAfter, lastDayOf, monthAt, sites, startOf, type Unit } from './monthsJournal.ts';
import { addFirstPrices, generate, moneySteps, suppliers } from './monthsMoney.ts';
import { steps, type Doing, type Play } from './monthsSteps.ts';
import { stockSteps } from './monthsStock.ts';

const FIRST = '2027-01-01';
const HOUR = 3_600_000;
/** When things happen on a day: often at its very ends, and where the day of Greenwich begins. */
const times = [0, 8 * HOUR - 1, 8 * HOUR, 9 * HOUR, 11 * HOUR, 14 * HOUR, 16 * HOUR, 24 * HOUR - 3000, 24 * HOUR - 1];

export interface Months {
  play: Play;
  tell: (what: string) => void;
  told: () => string;
  set: (moment: number) => Promise<void>;
  close: () => Promise<void>;
}

/** A workshop of two sites and two suppliers on the first day of its first month. */
export async function openMonths(below: (n: number) => number): Promise<Months> {
  const clock = openClock(startOf(FIRST));
  // The workbooks of fees are no matter here.
  const worksJobs = { feeReport: jobHandler(async () => ({})) };
  const testApp = await startTestApp({ exportWaitMs: 120_000 }, { way: clock.way, worksJobs });
  const { db } = testApp;
  await repairSuppliers(db, ...suppliers);
  const families = new Map<string, string | null>([
    ['RX19', 'F19'],
    ['RX21', 'F21'],
    ['RX30', null],
    ['HB19', 'B19'],
  ]);
  await db
    .insertInto('ubs_model_family')
    .values([...families.values()].flatMap((family) => (family ? [{ family }] : [])))
    .execute();
  await db
    .insertInto('ubs_item')
    .values({
      itemId: 30,
      salesCode: 'RX30',
      name: 'RX30 200T',
      productName: 'RX30',
      type: '0',
      deviceType: '0',
      snControl: '1',
    })
    .execute();
  for (const [salesCode, family] of families)
    await db.updateTable('ubs_item').set({ family }).where('salesCode', '=', salesCode).execute();
  const account = await db
    .selectFrom('admin_user')
    .selectAll()
    .where('userId', '=', 'supervisor')
    .executeTakeFirstOrThrow();
  for (const [userId, roleIds] of [
    ['superNB', 'supervisor'],
    ['officeNB', 'office'],
  ] as const)
    await db
      .insertInto('admin_user')
      .values({
        userId,
        userName: userId,
        password: account.password,
        roleIds,
        siteId: 'NB',
        allSites: '0',
        status: '1',
      })
      .execute();
  const units = Array.from({ length: 60 }, (_, i): Unit => {
    const salesCode = ['RX19', 'RX19', 'RX21', 'RX30'][i % 9 === 8 ? 3 : i % 3] ?? 'RX19';
    const warrantyUntil = i % 2 === 0 ? null : daysAfter(FIRST, below(400) - 60);
    return {
      ...{
        names: [`${salesCode}M${String(i).padStart(12, '0')}`],
        salesCode,
        archived: salesCode,
        isBoard: false,
        site: 'SZ',
        node: null,
      },
      ...{ held: null, warrantyUntil, stay: null, stays: [], past: [] },
    };
  });
  await db
    .insertInto('ubs_item_object')
    .values(
      units.map((it) => ({
        ...{
          sn: it.names[0] as string,
          itemId: 1,
          salesCode: it.salesCode,
          itemName: it.salesCode,
          type: '0',
          origin: '1',
        },
        warrantyUntil: it.warrantyUntil,
      })),
    )
    .execute();
  const users = [
    'admin',
    'office',
    'warehouse',
    'tech',
    'supervisor',
    'aftersales',
    'finance',
    'auditor',
    'techNB',
    'whNB',
  ];
  for (const it of [...users, 'officeNB', 'superNB']) await testApp.openToken(it);
  // Nobody signs in anew in all these months.
  await db
    .updateTable('session')
    .set({ expiresAt: '2100-01-01', endsAt: '2100-01-01', lastSeenAt: '2100-01-01' } as never)
    .execute();
  const play: Play = {
    testApp,
    journal: {
      bills: [],
      units,
      prices: [],
      expenses: [],
      fees: [],
      freight: [],
      corrections: [],
      transfers: [],
      families,
    },
    codes: await readCodeIds(testApp),
    pictures: { SZ: () => uploadPicture(testApp, 'tech'), NB: () => uploadPicture(testApp, 'techNB') },
    now: startOf(FIRST),
    below,
    wrong: [],
    made: 0,
    asked: '',
    tick: () => clock.set((play.now += 1)),
  };
  const counts = new Map<string, number>();
  await addFirstPrices(play);
  return {
    play,
    set: (moment) => clock.set((play.now = moment)),
    tell: (what) => void counts.set(what, (counts.get(what) ?? 0) + 1),
    told: () =>
      [...counts]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([what, n]) => `${what} ${n}`)
        .join(', '),
    close: async () => {
      await clock.close();
      await testApp.close();
    },
  };
}

/** Draws what is done next, each as often as it says. */
function drawn(all: readonly (readonly [number, Doing])[], below: (n: number) => number): Doing {
  let left = below(all.reduce((sum, [often]) => sum + often, 0));
  return (all.find(([often]) => (left -= often) < 0) ?? all[0])?.[1] as Doing;
}

/** Mostly there is something to do of what is drawn first. */
async function doSomething(play: Play): Promise<string | undefined> {
  for (let n = 0; n < 6; n++) {
    const what = await drawn(play.below(4) === 0 ? moneySteps : [...steps, ...stockSteps], play.below)(play);
    if (what !== undefined) return what;
  }
  return undefined;
}

/** The moments of a month, in their order: each day has some, at its ends more often than else. */
function momentsOf(month: string, below: (n: number) => number): number[] {
  const days = Number(lastDayOf(month).slice(8));
  const all = Array.from({ length: days }, (_, i) => startOf(daysAfter(`${month}-01`, i))).flatMap((day, i) =>
    times.filter(() => below(i === 0 || i === days - 1 ? 2 : 4) === 0).map((time) => day + time),
  );
  return all.toSorted((a, b) => a - b);
}

/** Plays a month, settles the one before meanwhile, and holds what is kept against what was written down. */
export async function playMonth({ play, tell, set }: Months, n: number): Promise<{ wrong: string[]; trace: string[] }> {
  const trace: string[] = [];
  let month = FIRST.slice(0, 7);
  for (let i = 0; i < n; i++) month = monthAt(startOf(daysAfter(lastDayOf(month), 1)));
  const before = n === 0 ? null : monthAt(startOf(`${month}-01`) - 1);
  const moments = momentsOf(month, play.below);
  const settlesAt = play.below(5);
  for (const [i, moment] of moments.entries()) {
    // Several things at the same second, one after the other.
    for (let many = 0; many < 3; many++) {
      // Nothing but the last millisecond of a day has no second after it.
      if (many > 0 && moment % 1000 === 999) break;
      await set(moment + 1000 * many);
      const isStart = before && many === 0 && i === settlesAt + 2;
      if (isStart) {
        for (const site of sites) tell(await generate(play, site, before));
        if (play.wrong.length > 0) return { wrong: [...play.wrong, ...(await findInMoney(play))], trace };
        continue;
      }
      const what = await doSomething(play);
      if (what === undefined) continue;
      tell(what);
      trace.push(`${new Date(play.now).toISOString()} ${what}: ${play.asked}`);
      if (play.wrong.length > 0) return { wrong: [...play.wrong, ...(await findInMoney(play))], trace };
    }
  }
  return { wrong: [...play.wrong, ...(await findDifferences(play, month, before))], trace };
}
