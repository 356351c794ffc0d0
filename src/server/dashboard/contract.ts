import { Type } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import { Code, Drills, Nullable, RowId } from '#domain/wire.ts';

const Coin = Type.Object({ value: Type.String(), optionName: Type.String(), selected: Type.Boolean() });

/**
 * The home page: what waits where, how long it takes, what comes back, in the sites of the user. Rule: screens#home.
 */
export const dashBoard = lookup({
  path: '/api/dashBoard.json',
  right: 'signedIn',
  why: 'Numbers of the sites of the user, and only those whose lists they may see',
  input: Type.Object({}),
  data: Type.Object({
    coins: Type.Array(Coin),
    /** What the aging racks compute of the selected coin, in how many accounts; null to who may not see them. */
    hashRate: Nullable(
      Type.Object({
        coin: Type.String(),
        rate: Type.Number(),
        online: Type.Integer(),
        accounts: Type.Integer(),
        drills: Drills,
      }),
    ),
    cards: Type.Array(
      Type.Object({
        node: Type.String(),
        count: Type.Integer(),
        /** Units that came to the node within the last seven days, and within the seven before. */
        arrived: Type.Integer(),
        arrivedBefore: Type.Integer(),
        /** Of those that stand there: how many for less than a day, for one to three days, for longer. */
        waiting: Type.Object({ short: Type.Integer(), days: Type.Integer(), long: Type.Integer() }),
        /** By `count`, `short`, `days` and `long`. */
        drills: Drills,
      }),
    ),
    /** Weeks of the workshop's calendar: how many units were delivered, and days from receipt to delivery. */
    turnaround: Type.Array(
      Type.Object({
        from: Type.Number(),
        delivered: Type.Integer(),
        middle: Nullable(Type.Number()),
        slow: Nullable(Type.Number()),
        drills: Drills,
      }),
    ),
    /** Months of the workshop's calendar: how many units customers sent in for the first time, and how many came again. */
    returns: Type.Array(
      Type.Object({ from: Type.Number(), first: Type.Integer(), again: Type.Integer(), drills: Drills }),
    ),
  }),
});

/**
 * What waits for whoever asks, the worst first: how many, for how long, and the oldest of them. Rule: screens#queues.
 */
export const workQueue = lookup({
  path: '/api/workQueue.json',
  right: 'signedIn',
  why: 'Only queues at whose work the user may begin, in the sites where they may',
  input: Type.Object({}),
  data: Type.Object({
    queues: Type.Array(
      Type.Object({
        /** The right by which one works on it: `module:button`. */
        name: Type.String(),
        /** What waits in it. */
        label: Type.String(),
        count: Type.Integer(),
        /** For less than a day, for one to three days, for longer. */
        waiting: Type.Object({ short: Type.Integer(), days: Type.Integer(), long: Type.Integer() }),
        /** Since when the oldest waits. */
        oldest: Nullable(Type.Number()),
        /** Who waits longer has waited too long; by it the worst queue comes first. */
        limitHours: Type.Number(),
        /** The four oldest at most. */
        items: Type.Array(
          Type.Object({
            id: Type.Integer(),
            since: Type.Number(),
            /** The SN, or the number of the bill or of its parcel. */
            no: Type.String(),
            /** Of which model, for which month, whose. */
            what: Nullable(Type.String()),
            mtbId: Nullable(Type.String()),
            type: Nullable(Type.String()),
            amount: Nullable(Type.String()),
            currency: Nullable(Type.String()),
            picture: Nullable(Type.String()),
          }),
        ),
      }),
    ),
  }),
});

/**
 * Where something stands among what waits in one queue, the oldest first, and what comes after it; past the last one the
 * oldest. For whoever works a queue off one by one. Rule: screens#queues.
 */
export const queuePlace = lookup({
  path: '/api/workQueue/place.json',
  right: 'signedIn',
  why: 'Only queues at whose work the user may begin, in the sites where they may',
  input: Type.Object({ name: Code, id: Type.Optional(RowId) }),
  data: Type.Object({
    count: Type.Integer(),
    /** From one; null for what does not wait there. */
    position: Nullable(Type.Integer()),
    next: Nullable(Type.Integer()),
  }),
});

/** Another coin is watched from now on. The token travels in the query as well. Rule: hash-rate#coins. */
export const coinChange = submit({
  method: 'GET',
  path: '/api/coinChange.json',
  right: 'signedIn',
  why: 'It keeps which coin the user watches',
  input: Type.Object({ token: Type.Optional(Type.String()), coinName: Type.String({ minLength: 1, maxLength: 20 }) }),
  data: Type.Object({}),
});
