import { Type } from 'typebox';
import { lookup, type ModuleRight } from '#domain/call.ts';
import { kinds, type Kind } from '#domain/reports.ts';

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

export const reportCalls = Object.fromEntries(kinds.map((it) => [it, callOf(it)])) as Record<
  Kind,
  ReturnType<typeof callOf>
>;
