import type { Words } from '#domain/words.ts';

/**
 * Every way in which the server says no: its code on the wire and, where transport tells the truth as well, its HTTP
 * status (else 200). The sentences stand under the same keys in `i18n/{zh,en}/refusals.json`. Several sentences may
 * share a code: the code says the kind, the sentence what to do. Rule: refusals#codes.
 */
export const refusals = {
  noSession: { code: '401', status: 401 },
  serviceToken: { code: '401', status: 401 },
  serviceEnded: { code: '401', status: 401 },
  serviceScope: { code: '100013', status: 403 },
  required: { code: '100001' },
  notFound: { code: '100002' },
  refGone: { code: '100002' },
  notInArchive: { code: '100002' },
  notInStock: { code: '100002' },
  noSalesCode: { code: '100002' },
  formerSn: { code: '100002' },
  wrongNode: { code: '100003' },
  wrongStorage: { code: '100003' },
  checkedAlready: { code: '100003' },
  notChecked: { code: '100003' },
  notReceived: { code: '100003' },
  atFirstTest: { code: '100003' },
  otherSite: { code: '100004' },
  billOtherSite: { code: '100004' },
  ownSiteOnly: { code: '100004' },
  accountElsewhere: { code: '100004' },
  workerElsewhere: { code: '100004' },
  shipped: { code: '100005' },
  scrapped: { code: '100006' },
  duplicateSn: { code: '100007' },
  parcelSigned: { code: '100007' },
  packageOpen: { code: '100007' },
  officialSn: { code: '100007' },
  alreadyRegistered: { code: '100007' },
  alreadyExists: { code: '100007' },
  snTaken: { code: '100007' },
  sameSn: { code: '100007' },
  repairedOnSite: { code: '100007' },
  held: { code: '100008' },
  spokenFor: { code: '100008' },
  usedUp: { code: '100008' },
  notHeld: { code: '100022' },
  inHouse: { code: '100009' },
  stockMachine: { code: '100009' },
  billNotFound: { code: '100010' },
  billFinished: { code: '100011' },
  receivingClosed: { code: '100012' },
  signFirst: { code: '100012' },
  noRight: { code: '100013', status: 403 },
  rolledBack: { code: '100014' },
  format: { code: '100015' },
  retired: { code: '100015' },
  pattern: { code: '100015' },
  unstorable: { code: '100015' },
  outOfRange: { code: '100015' },
  unknownField: { code: '100015' },
  tooLong: { code: '100015' },
  tooShort: { code: '100015' },
  atLeast: { code: '100015' },
  atMost: { code: '100015' },
  wholeNumber: { code: '100015' },
  decimals: { code: '100015' },
  snForm: { code: '100015' },
  snLength: { code: '100015' },
  notBelow: { code: '100015' },
  priceOverlaps: { code: '100015' },
  priceEnds: { code: '100015' },
  priceWaits: { code: '100015' },
  priceInRow: { code: '100015' },
  notAbove: { code: '100015' },
  notAsked: { code: '100015' },
  fixed: { code: '100015' },
  searchRules: { code: '100015' },
  searchDepth: { code: '100015' },
  searchValues: { code: '100015' },
  searchSlow: { code: '100015' },
  previewSlow: { code: '100015' },
  isDevice: { code: '100015' },
  isBoard: { code: '100015' },
  notBoardModel: { code: '100015' },
  confirmationNotMixed: { code: '100015' },
  qrCodeIllegal: { code: '100015' },
  replaceSn: { code: '100015' },
  slot: { code: '100016' },
  images: { code: '100017' },
  imagesForChip: { code: '100017' },
  imageFormat: { code: '100017' },
  noFile: { code: '100001' },
  fileFormat: { code: '100017' },
  uploadQuota: { code: '100046', status: 429 },
  workbookBroken: { code: '100015' },
  workbookHuge: { code: '100051', status: 413 },
  workbookColumns: { code: '100015' },
  workbookRows: { code: '100015' },
  workbookEmpty: { code: '100001' },
  workbookHeads: { code: '100001' },
  workbookHeadAlike: { code: '100015' },
  duplicateRow: { code: '100007' },
  severalRows: { code: '100007' },
  roundedNumber: { code: '100015' },
  formulaCell: { code: '100015' },
  noSuchOption: { code: '100015' },
  labelSn: { code: '100015' },
  labelStars: { code: '100015' },
  labelText: { code: '100015' },
  labelCommand: { code: '100015' },
  labelLength: { code: '100015' },
  labelWide: { code: '100015' },
  noPrinters: { code: '100052' },
  printerUnreachable: { code: '100052' },
  printUnknown: { code: '100052' },
  inFuture: { code: '100015' },
  inPast: { code: '100015' },
  tooOld: { code: '100015' },
  tooFarAhead: { code: '100015' },
  chips: { code: '100018' },
  count: { code: '100019' },
  mismatch: { code: '100020' },
  notTogether: { code: '100020' },
  billOtherCustomer: { code: '100020' },
  ownGoodsApart: { code: '100020' },
  shipsTogether: { code: '100020' },
  noTally: { code: '100021' },
  completeDelivery: { code: '100021' },
  assemblyInfo: { code: '100001' },
  checkInfo: { code: '100001' },
  repairInfo: { code: '100001' },
  auxiliaryInfo: { code: '100001' },
  submitInfo: { code: '100001' },
  nothingRepaired: { code: '100001' },
  notScrap: { code: '100003' },
  notAuxiliary: { code: '100007' },
  scrapOnBill: { code: '100009' },
  notBillMaker: { code: '100013', status: 403 },
  scrapCount: { code: '100019' },
  notOnScrapBill: { code: '100020' },
  outsourcingDone: { code: '100022' },
  transferIncomplete: { code: '100001' },
  noInventoryRecord: { code: '100002' },
  notOnShelf: { code: '100003' },
  notStore: { code: '100004' },
  transferSite: { code: '100004' },
  neitherSite: { code: '100004' },
  notOwnStock: { code: '100009' },
  notInitiator: { code: '100013', status: 403 },
  sameSites: { code: '100015' },
  transferCount: { code: '100019' },
  transferTooLarge: { code: '100019' },
  tooManySns: { code: '100019' },
  lineFull: { code: '100019' },
  notInBill: { code: '100020' },
  notInOrder: { code: '100020' },
  snMismatch: { code: '100020' },
  notOfVisit: { code: '100020' },
  otherItemType: { code: '100020' },
  doneBefore: { code: '100022' },
  unitsInHouse: { code: '100023' },
  movedOn: { code: '100023' },
  inUse: { code: '100023' },
  inUseOff: { code: '100023' },
  valueInUse: { code: '100023' },
  roleNamed: { code: '100023' },
  userIdUsed: { code: '100023' },
  userIdStays: { code: '100023' },
  stillUsed: { code: '100023' },
  cannotShip: { code: '100024' },
  stale: { code: '100025' },
  billState: { code: '100025' },
  laterFirst: { code: '100025' },
  settledItem: { code: '100025' },
  returnInstead: { code: '100025' },
  goesAlong: { code: '100025' },
  ownMovedOn: { code: '100025' },
  ownElsewhere: { code: '100025' },
  partlyDelivered: { code: '100022' },
  boughtOut: { code: '100022' },
  sameNode: { code: '100007' },
  sameSite: { code: '100007' },
  sameCode: { code: '100007' },
  sameBill: { code: '100007' },
  sameStatus: { code: '100007' },
  notUndoable: { code: '100015' },
  otherWafers: { code: '100015' },
  deleteInstead: { code: '100015' },
  nothingToTally: { code: '100021' },
  notSameGoods: { code: '100020' },
  tooManyRows: { code: '100015' },
  notInBulk: { code: '100015' },
  notAllowed: { code: '100015' },
  partBound: { code: '100026' },
  issueCode: { code: '100027' },
  quantityGone: { code: '100042' },
  moreThanInProcess: { code: '100019' },
  moreThanOrdered: { code: '100019' },
  waferIds: { code: '100015' },
  waferThere: { code: '100007' },
  reportThere: { code: '100007' },
  positionUnknown: { code: '100002' },
  positionUnclear: { code: '100020' },
  positionTwice: { code: '100007' },
  binUnknown: { code: '100015' },
  binList: { code: '100015' },
  lotName: { code: '100015' },
  statusFollows: { code: '100025' },
  outputFirst: { code: '100025' },
  noSuchReview: { code: '100015' },
  unpriced: { code: '100015' },
  repricedLines: { code: '100015' },
  parcelBilled: { code: '100007' },
  endsInMonth: { code: '100015' },
  undoneLines: { code: '100015' },
  expenseLine: { code: '100015' },
  feeParties: { code: '100020' },
  feeBillThere: { code: '100007' },
  noFeeLines: { code: '100015' },
  monthClosed: { code: '100025' },
  lastRightEditor: { code: '100023' },
  mixedGroup: { code: '100015' },
  otherStore: { code: '100020' },
  notYours: { code: '100013', status: 403 },
  notInForce: { code: '100002' },
  nothingToPublish: { code: '100001' },
  previewOnly: { code: '100015' },
  badDefinitions: { code: '100015' },
  samePerson: { code: '100043' },
  keyReused: { code: '100044' },
  stillRunning: { code: '100045', status: 409 },
  viewsFull: { code: '100019' },
  tooMany: { code: '100046', status: 429 },
  captcha: { code: '100047' },
  credentials: { code: '100048' },
  ssoOff: { code: '100048' },
  ssoService: { code: '100015' },
  ssoTicket: { code: '100048' },
  ssoUser: { code: '100048' },
  ssoUnreachable: { code: '100048' },
  locked: { code: '100049' },
  passwordRule: { code: '100015' },
  passwordCommon: { code: '100015' },
  passwordNames: { code: '100015' },
  passwordSame: { code: '100015' },
  changePasswordFirst: { code: '100013', status: 403 },
  accountName: { code: '100015' },
  accountLooks: { code: '100007' },
  noSuchCall: { code: '100050', status: 404 },
  tooLarge: { code: '100051', status: 413 },
  tooManyColumns: { code: '100019' },
  exportRows: { code: '100019' },
  tooManyJobs: { code: '100046', status: 429 },
  jobAccountOff: { code: '100013', status: 403 },
  jobRightGone: { code: '100013', status: 403 },
  jobSitesChanged: { code: '100013', status: 403 },
  jobDied: { code: '000007' },
  downloadFailed: { code: '000007' },
  fileExpired: { code: '000007' },
  exportSlow: { code: '000504', status: 504 },
  nothingToSettle: { code: '100002' },
  periodOrder: { code: '100015' },
  periodTooLong: { code: '100015' },
  // Something that the server needs is missing for now: nothing is wrong with what was asked, so it may be asked again.
  databaseDown: { code: '000503', status: 503, retryAfter: 5 },
  databaseBusy: { code: '000503', status: 503, retryAfter: 2 },
  connectionsUsed: { code: '000503', status: 503, retryAfter: 2 },
  databaseMemory: { code: '000503', status: 503, retryAfter: 10 },
  databaseReadOnly: { code: '000503', status: 503, retryAfter: 10 },
  databaseFull: { code: '000503', status: 503, retryAfter: 60 },
  diskFull: { code: '000503', status: 503, retryAfter: 60 },
  filesUnreachable: { code: '000503', status: 503, retryAfter: 10 },
  unknown: { code: '000500', status: 500 },
} as const satisfies Record<string, { code: string; status?: number; retryAfter?: number }>;

export type RefusalKey = keyof typeof refusals;

/** What may be missing, each with its sentence. */
export type Missing = {
  [Key in RefusalKey]: (typeof refusals)[Key] extends { retryAfter: number } ? Key : never;
}[RefusalKey];

/** Whether it may be asked again as it is, once what is missing is back. */
export const isMissing = (key: RefusalKey): key is Missing => 'retryAfter' in refusals[key];

/**
 * What a sentence is filled with: plain text, a bilingual label, the label of an option (`{ options: 'nodes', value: '50' }`)
 * or of a module's field (`{ module: 'rmaArrivalBill', field: 'receiveShipNo' }`); the language is chosen where it is said.
 */
export type Arg = string | number | Words | { options: string; value: string } | { module: string; field: string };

/** One thing that is wrong. Rules return all of them, empty when all is well; they never throw and never hold words. */
export interface Problem {
  key: RefusalKey;
  /** The input's name, so that a form can mark it; with a list, as `rows.2.slot`. */
  field?: string;
  args?: Record<string, Arg | Arg[]>;
}

/** A problem as an answer tells it, under `data.problems`. Its key tells it apart from the others that share its code. */
export interface ProblemAnswer {
  key: RefusalKey;
  field?: string;
  msg: string;
}

/**
 * A refusal for reasons of the business. Thrown by the server, turned into an answer by answer.ts. The first problem
 * gives code and sentence.
 */
export class Refusal extends Error {
  readonly problems: readonly [Problem, ...Problem[]];
  /** What the answer carries as data beside its problems, such as today's row of a stale save. */
  readonly data: object | null;

  constructor(problems: Problem | readonly Problem[], data: object | null = null) {
    const all = 'key' in problems ? [problems] : [...problems];
    const first = all[0] ?? { key: 'unknown' as const };
    super(first.key);
    this.name = 'Refusal';
    this.problems = [first, ...all.slice(1)];
    this.data = data;
  }
}

/** Says no when there is anything to say no to. */
export function refuseIfAny(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new Refusal(problems);
}
