import { Type, type Static } from 'typebox';
import { lookup } from '#domain/call.ts';

/** What an administrator sees: what is missing, and what soon will be. */
export const troubles = [
  'stopping',
  'databaseDown',
  'databaseBusy',
  'connectionsUsed',
  'databaseMemory',
  'databaseReadOnly',
  'databaseFull',
  'diskFull',
  'filesUnreachable',
  'diskScarce',
  'connectionsScarce',
  'jobsStopped',
  'publishAside',
  'filesNotShared',
  'walNotArchived',
] as const;
export type TroubleKey = (typeof troubles)[number];

/** Work goes on for now with each of these; with any other trouble there is none to be done. */
const warnings: readonly TroubleKey[] = [
  'diskScarce',
  'connectionsScarce',
  'jobsStopped',
  'publishAside',
  'filesNotShared',
  'walNotArchived',
];
export const stopsWork = ({ key }: Trouble): boolean => !warnings.includes(key);

const Trouble = Type.Object({
  key: Type.Unsafe<TroubleKey>({ type: 'string', enum: [...troubles] }),
  /** Fills the sentence: shares in percent, space in MB. */
  args: Type.Record(Type.String(), Type.Number()),
});
export type Trouble = Static<typeof Trouble>;

/** How the server's database, disk and jobs are, for administrators; empty when nothing is wrong. */
export const readHealth = lookup({
  path: '/rest/health',
  right: 'systemHealth:see',
  input: Type.Object({}),
  data: Type.Object({ troubles: Type.Array(Trouble) }),
});
