import { Type } from 'typebox';
import { lookup } from '#domain/call.ts';
import { Code, Nullable } from '#domain/wire.ts';
import { intervals, type Interval } from './rules.ts';

const Interval = Type.Optional(Type.Unsafe<Interval>({ type: 'string', enum: [...intervals] }));
/** A moment and what was reckoned then; null where nothing was reported. Rule: hash-rate#points. */
const Chart = Type.Object({
  unit: Type.String(),
  point: Type.Array(Type.Object({ timestamp: Type.Number(), hashRate: Nullable(Type.Number()) })),
});

/** The hash rate of an account: all its workers together. Rule: hash-rate#points. */
export const userSpeedChart = lookup({
  path: '/api/userSpeed/userSpeedChart.json',
  right: 'userSpeed:userSpeedChart',
  input: Type.Object({ userOid: Code, interval: Interval }),
  data: Chart,
});

/** The hash rate of one machine. */
export const userWorkerSpeedChart = lookup({
  path: '/api/userWorker/userWorkerSpeedChart.json',
  right: 'userWorker:userWorkerSpeedChart',
  input: Type.Object({ workerId: Code, userOid: Type.Optional(Code), interval: Interval }),
  data: Chart,
});
