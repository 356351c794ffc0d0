import { Type, type Static, type TSchema } from 'typebox';
import { REMARK_LENGTH } from '#domain/enums.ts';
import { WRITTEN_AS } from '#domain/written.ts';

/** Pieces of input and answer that several stations' calls share. */

/** What may also be nothing; an empty text is nothing then. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([Type.Null(), schema]);

/** Longer than any SN, so that a stray burst of a scanner is refused by the rule of SNs and not by its length. */
export const Sn = Type.String({ maxLength: 200, [WRITTEN_AS]: 'sn' });
/** One slot or several, parted by commas. */
const Slots = Type.String({ maxLength: 200, [WRITTEN_AS]: 'slots' });
/** The QR code of a part is no label to be read. Rule: assembling#qr-codes. */
export const QrCode = Type.String({ maxLength: 200, [WRITTEN_AS]: 'no' });
const Text = Type.String({ maxLength: 255 });
export const OptionalText = Type.Optional(Nullable(Text));
export const Remark = Type.Optional(Nullable(Type.String({ maxLength: REMARK_LENGTH })));
export const Code = Type.String({ maxLength: 64 });
export const OptionalCode = Type.Optional(Nullable(Code));
/**
 * The version of the row as whoever decides about it saw it; another one than today's is refused.
 * Rule: writing#what-was-seen.
 */
export const SeenVersion = Type.Integer({ minimum: 1 });
/** The id of a row, as far as a number says it exactly. */
export const RowId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** A list of pictures as one `##` text or as an array. Rule: wire#pictures. */
export const Urls = Type.Optional(
  Type.Union([Type.String({ maxLength: 4000 }), Type.Array(Text, { maxItems: 50 }), Type.Null()]),
);

/** Issue codes in a submit travel by their `codeId`. Rule: wire#codes-of-faults. */
export const CodeId = Type.Union([Type.Integer(), Type.String({ maxLength: 20 })]);
export const CodeIds = Type.Array(CodeId, { maxItems: 50 });

export const Warning = Type.Optional(Type.String());

export const IssueCode = Type.Object({ codeId: Type.Integer(), code: Type.String(), name: Type.String() });
export const IssueCodeChoice = Type.Object({
  codeId: Type.Integer(),
  code: Type.String(),
  name: Type.String(),
  billType: Type.String(),
  disposition: Nullable(Type.String()),
  passFlag: Nullable(Type.String()),
  imageRequired: Nullable(Type.String()),
});

/** A catalogue item as the stations show it. */
export const StationItem = Type.Object({
  itemId: Nullable(Type.Integer()),
  salesCode: Type.String(),
  name: Type.String(),
  deviceType: Type.String(),
});

export const Component = Type.Object({
  componentType: Type.String(),
  componentSn: Type.String(),
  qrCodeNum: Nullable(Type.String()),
});

/** A unit that aging or QC may list, with the result that was chosen for it. */
export const TestedSn = Type.Object({
  sn: Type.String(),
  salesCode: Type.String(),
  name: Type.String(),
  mtbId: Nullable(Type.String()),
  icdId: Type.Integer(),
  code: Type.String(),
  codeName: Type.String(),
  passFlag: Type.String(),
});

/** The parts of a device as they are entered. Rule: wire#parts. */
export const PartsList = Type.Array(
  Type.Object({ sn: Sn, component_type: OptionalCode, qrCodeNum: Type.Optional(Nullable(QrCode)) }),
  { maxItems: 20 },
);

/** What a record of a repair tells besides its SN, its type and its codes. Rule: repairing#records. */
export const RepairFields = {
  partsTypeName: OptionalText,
  repairMethod: OptionalCode,
  repairMethodName: OptionalText,
  issueCodeName: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
  repairMarking: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
  slot: Type.Optional(Nullable(Slots)),
  spendItemDescription: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
  spendItemCount: Type.Optional(Nullable(Type.Number())),
  repairUrls: Urls,
};

/** What was done to one part of a device, named as its own form names it. Rule: repairing#records. */
export const RepairedPart = Type.Object({
  /** The part's own SN; empty when it has none. */
  sn: Type.Optional(Nullable(Sn)),
  partsType: OptionalCode,
  issueCodeIdList: Type.Optional(Nullable(CodeIds)),
  ...RepairFields,
});

/** What was done to the parts of a device, or to one part. Rule: repairing#records. */
export const RepairRows = Type.Array(
  Type.Object({ ...RepairedPart.properties, replaceSn: Type.Optional(Nullable(Sn)) }),
  { maxItems: 100 },
);

const DrillRule = Type.Object({
  /** Within a group: joined to what stands before it by "or". */
  connector: Type.Optional(Type.Literal('OR')),
  column: Type.String(),
  relation: Type.String(),
  value: Type.String(),
});
const DrillGroup = Type.Object({ rules: Type.Array(DrillRule) });
/**
 * The rows that a figure counts: the module whose list shows them, and the conditions of its nested search under which it
 * shows just these; they hold all at once. Rule: reports#drill.
 */
const Drill = Type.Object({
  module: Type.String(),
  rules: Type.Array(DrillRule),
  groups: Type.Optional(Type.Array(DrillGroup)),
});
/** Of the figures of one row, by their keys. */
export const Drills = Type.Record(Type.String(), Drill);
export type Drill = Static<typeof Drill>;
export type DrillRule = Static<typeof DrillRule>;
export type DrillGroup = Static<typeof DrillGroup>;
