import { Type } from 'typebox';
import { lookup, type ModuleRight } from '#domain/call.ts';
import { kinds, type Kind } from '#domain/reports.ts';
import { Drills } from '#domain/wire.ts';

const code = (maxLength: number) => Type.Optional(Type.String({ maxLength }));

/** Every report takes every parameter and looks at its own. Rule: reports#calls. */
const input = Type.Object({
  siteId: code(20),
  reportType: code(1),
  startDate: code(10),
  endDate: code(10),
  salesCodeDesc: code(100),
  /** Parted by commas. */
  repairSiteIds: code(500),
  mtbId: code(64),
  btmMtbId: code(50),
  btmUserId: code(100),
  /** A moment of the workshop's clock: steps count as they stood then. Rule: reports#as-of. */
  asOf: code(19),
});

/**
 * The call of a report: the answer is the workbook itself, or HTTP 504 while it is still being made.
 * Rule: reports#calls.
 */
const callOf = (kind: Kind) =>
  lookup({
    path: `/api/rmaReport/${kind}.json`,
    right: `rmaReport:${kind}` as ModuleRight,
    input,
    data: Type.Unknown(),
  });

const cells = Type.Array(Type.Union([Type.String(), Type.Number(), Type.Null()]));

/** The first rows of a report, as its file would have them. */
const preview = Type.Object({
  columns: Type.Array(
    Type.Object({
      key: Type.String(),
      label: Type.String(),
      kind: Type.String(),
      /** Of a bill's number: whose. */
      module: Type.Optional(Type.String()),
    }),
  ),
  /** Values in the order of the columns; `drills` by the keys of columns. */
  rows: Type.Array(Type.Object({ cells, drills: Drills })),
  footer: Type.Array(cells),
  /** The file has more rows than these. */
  hasMore: Type.Boolean(),
  chart: Type.Union([Type.Object({ by: Type.Array(Type.String()), of: Type.String() }), Type.Null()]),
});

/**
 * The call of a report's preview: what the report takes, to those who may make the report. It is `previewX` beside
 * `exportX`. Rule: reports#preview.
 */
const previewOf = (kind: Kind) =>
  lookup({
    path: `/api/rmaReport/${kind.replace('export', 'preview')}.json`,
    right: `rmaReport:${kind}` as ModuleRight,
    input,
    data: preview,
  });

const byKind = <T>(callFor: (kind: Kind) => T) =>
  Object.fromEntries(kinds.map((it) => [it, callFor(it)])) as Record<Kind, T>;

export const reportCalls = byKind(callOf);
export const previewCalls = byKind(previewOf);
