import { Type } from 'typebox';
import { lookup, stream, type DataOf, type ModuleRight } from '#domain/call.ts';
import { Code, Sn } from '#domain/wire.ts';

/** The stations where people see each other's scans, each with the right to work there. */
export const sharedStations = {
  receive: 'rmaReceiveBill:receive',
  check: 'rmaCheckBill:check',
  repair: 'rmaRepairBill:repair',
  assemble: 'rmaAssembleBill:assemble',
  aging: 'rmaBurninBill:burnin',
  qc: 'rmaExamineBill:examine',
  store: 'rmaStoreBill:store',
  deliver: 'rmaDeliverBill:deliver',
  transferOut: 'rmaStockTransferBill:deliverAccept',
  transferIn: 'rmaStockTransferBill:receiverAccept',
} as const satisfies Record<string, ModuleRight>;

export type SharedStation = keyof typeof sharedStations;
export const isShared = (station: string): station is SharedStation => Object.hasOwn(sharedStations, station);

/** More than anybody scans before a submit. */
export const MAX_SHARED = 2000;
/** How long a list is shown that its owner does not announce again. */
export const SHARED_FOR_S = 90;
/** How often it is announced again; a browser wakes a page in the background once a minute. */
export const TELL_AGAIN_MS = 25_000;

const at = (station: SharedStation) =>
  ({ path: `/rest/stations/${station}/scans`, right: sharedStations[station] }) as const;

/**
 * Announces what the user has scanned and not submitted; an empty list withdraws it. Not a submit: the same list may
 * come any number of times.
 */
export const announceScans = (station: SharedStation) =>
  lookup({
    method: 'POST',
    ...at(station),
    input: Type.Object({
      /** Empty where a station works on no bill. */
      bill: Code,
      snList: Type.Array(Sn, { maxItems: MAX_SHARED }),
      /** Something has been submitted since the last announcement: the others reload their bill. */
      submitted: Type.Optional(Type.Boolean()),
    }),
    data: Type.Object({}),
  });

/** What the others have scanned there, as it changes. */
export const watchScans = (station: SharedStation) =>
  stream({
    ...at(station),
    input: Type.Object({ bill: Code }),
    data: Type.Object({
      others: Type.Array(
        Type.Object({ userId: Type.String(), userName: Type.String(), snList: Type.Array(Type.String()) }),
      ),
      /** One of the others has submitted. */
      submitted: Type.Boolean(),
      /** The number of the last publish, so that a window at a station needs no other stream. */
      last: Type.Integer(),
    }),
  });

export type ColleagueNews = DataOf<ReturnType<typeof watchScans>>;
export type Colleague = ColleagueNews['others'][number];
