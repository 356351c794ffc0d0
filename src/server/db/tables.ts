// Written by `npm run definitions:types` from definitions/. Do not edit.
import type { ColumnType, Generated } from 'kysely';
import type { MaybeMoment, Moment, PlatformTables } from '#server/db/platformTables.ts';

/** A decimal: read as a string, so that no digit is lost. */
type Decimal = ColumnType<string, string | number>;
type MaybeDecimal = ColumnType<string | null, string | number | null | undefined, string | number | null>;
/** A calendar day: read as epoch ms of its midnight in the workshop's zone, written as yyyy-mm-dd. */
type Day = ColumnType<number, string>;
type MaybeDay = ColumnType<number | null, string | null | undefined, string | null>;
/** Entries of several values each: read as they are, written as JSON. */
type List<Entry> = ColumnType<readonly Entry[], string>;
type MaybeList<Entry> = ColumnType<readonly Entry[] | null, string | null | undefined, string | null>;
/** The hash of a password: no call reads it. */
export type Secret = ColumnType<string | null, string | null | undefined, string | null>;

export interface StandardColumns {
  id: Generated<number>;
  version: Generated<number>;
  createBy: Generated<string>;
  createTime: ColumnType<number, Date | string | undefined, Date | string>;
  updateBy: string | null;
  updateTime: MaybeMoment;
}

export interface AdminRole extends StandardColumns {
  roleId: string;
  name: string;
  nameEn: string;
  allSites: string;
}

export interface AdminUser extends StandardColumns {
  userId: string;
  userName: string;
  password: Secret;
  roleIds: string;
  siteId: string | null;
  allSites: string;
  status: string;
  mobile: string | null;
  email: string | null;
}

export interface IcopAssemblyWorkOrder extends StandardColumns {
  workOrderNo: string;
  billStatus: string;
  processType: string;
  ftType: string | null;
  lotType: string;
  engineeringCode: string | null;
  supplierId: string;
  devicePn: string;
  waferPn: string;
  waferMpn: string | null;
  packageType: string | null;
  bdNo: string | null;
  markingSpec: string | null;
  formOfPackRequired: string | null;
  abiNo: string | null;
  partNumbering: string | null;
  line1: string | null;
  line2: string | null;
  inventoryOrg: string | null;
  btmSiteId: string | null;
  repairOrg: string | null;
  correspondsWorkOrder: string | null;
  taxRate: MaybeDecimal;
  company: string | null;
  purposeOfBuild: string | null;
  shipToLocation: string | null;
  poNo: string | null;
  remark: string | null;
  siteId: string;
  waferQty: number | null;
  chipQty: number | null;
  outputQty: number | null;
  lossQty: number | null;
  sentTime: MaybeMoment;
  doneTime: MaybeMoment;
}

export interface IcopAssemblyWorkOrderLine extends StandardColumns {
  workOrderNo: string;
  wipId: string | null;
  stage: string | null;
  devicePn: string | null;
  waferPn: string | null;
  waferMpn: string | null;
  erpCode: string | null;
  packageType: string | null;
  waferLotId: string | null;
  waferIds: string | null;
  splitList: MaybeList<{ waferId: string; inputQty: number; remainQty: number }>;
  waferQty: number | null;
  chipQty: number | null;
  deviceName: string | null;
  productName: string | null;
  dieQty: number | null;
  abiNo: string | null;
  partNumbering: string | null;
  line1: string | null;
  line2: string | null;
  msl: string | null;
  ft1Program: string | null;
  ft2Program: string | null;
  marking: string | null;
  remark: string | null;
}

export interface IcopBumpingCpWorkOrder extends StandardColumns {
  workOrderNo: string;
  billStatus: string;
  processType: string;
  lotType: string;
  engineeringCode: string | null;
  supplierId: string;
  waferPn: string;
  waferMpn: string | null;
  cpTestProgram: string | null;
  waferMapType: string | null;
  waferProbeType: string | null;
  inventoryOrg: string | null;
  btmSiteId: string | null;
  repairOrg: string | null;
  correspondsWorkOrder: string | null;
  taxRate: MaybeDecimal;
  company: string | null;
  purposeOfBuild: string | null;
  shipToLocation: string | null;
  poNo: string | null;
  remark: string | null;
  siteId: string;
  waferQty: number | null;
  chipQty: number | null;
  outputQty: number | null;
  lossQty: number | null;
  sentTime: MaybeMoment;
  doneTime: MaybeMoment;
}

export interface IcopBumpingCpWorkOrderLine extends StandardColumns {
  workOrderNo: string;
  wipId: string | null;
  stage: string | null;
  waferPn: string | null;
  waferMpn: string | null;
  waferLotId: string | null;
  waferIds: string | null;
  waferQty: number | null;
  chipQty: number | null;
  remark: string | null;
}

export interface IcopFtWorkOrder extends StandardColumns {
  workOrderNo: string;
  billStatus: string;
  processType: string;
  ftType: string;
  lotType: string;
  engineeringCode: string | null;
  supplierId: string;
  devicePn: string;
  ftBin: string | null;
  waferPn: string | null;
  packageType: string | null;
  bdNo: string | null;
  markingSpec: string | null;
  formOfPackRequired: string | null;
  inventoryOrg: string | null;
  btmSiteId: string | null;
  repairOrg: string | null;
  correspondsWorkOrder: string | null;
  taxRate: MaybeDecimal;
  company: string | null;
  purposeOfBuild: string | null;
  shipToLocation: string | null;
  poNo: string | null;
  remark: string | null;
  siteId: string;
  chipQty: number | null;
  outputQty: number | null;
  lossQty: number | null;
  sentTime: MaybeMoment;
  doneTime: MaybeMoment;
  groupQty: number | null;
}

export interface IcopFtWorkOrderLine extends StandardColumns {
  workOrderNo: string;
  group: number | null;
  wipId: string | null;
  stage: string | null;
  waferLotId: string | null;
  devicePn: string | null;
  frontFtTestProgram: string | null;
  ftTestProgram: string | null;
  bin: string | null;
  chipQty: number | null;
  marking: string | null;
  originalMarking: string | null;
  dateCode: string | null;
  originPlace: string | null;
  remark: string | null;
}

export interface IcopPartNumber extends StandardColumns {
  waferPn: string;
  waferMpn: string;
  grossDie: number | null;
  process: string | null;
  cpTestProgram: string | null;
  status: string;
}

export interface IcopPartNumberLine extends StandardColumns {
  devicePn: string;
  waferPn: string;
  waferMpn: string | null;
  deviceErpCode: string | null;
  packageType: string | null;
  productName: string | null;
  ft1Program: string | null;
  ft2Program: string | null;
  msl: string | null;
  goodBins: string | null;
}

export interface IcopStore extends StandardColumns {
  btmId: string;
  name: string;
  nameEn: string | null;
  siteId: string;
  remark: string | null;
}

export interface IcopSupplier extends StandardColumns {
  supplierId: string;
  supplierName: string;
  supplierNameEn: string | null;
  supplierType: string;
  contact: string | null;
  phone: string | null;
  email: string | null;
  address: string | null;
  status: string;
}

export interface IcopTransaction extends StandardColumns {
  wipId: string;
  transactionType: string;
  waferLotId: string | null;
  waferId: string | null;
  bin: string | null;
  qty: number | null;
  beforeQty: number | null;
  afterQty: number | null;
  workOrderNo: string | null;
  operateStatus: string | null;
  eventTime: MaybeMoment;
  userId: string | null;
  siteId: string | null;
  reportMark: string | null;
  remark: string | null;
}

export interface IcopWaferWorkOrder extends StandardColumns {
  workOrderNo: string;
  billStatus: string;
  lotType: string;
  engineeringCode: string | null;
  supplierId: string;
  waferPn: string;
  waferMpn: string | null;
  inventoryOrg: string | null;
  btmSiteId: string | null;
  repairOrg: string | null;
  correspondsWorkOrder: string | null;
  taxRate: MaybeDecimal;
  company: string | null;
  purposeOfBuild: string | null;
  shipToLocation: string | null;
  poNo: string | null;
  remark: string | null;
  siteId: string;
  waferQty: number;
  outputQty: number | null;
  lossQty: number | null;
  sentTime: MaybeMoment;
  doneTime: MaybeMoment;
  expectedTime: MaybeDay;
}

export interface IcopWaferWorkOrderLine extends StandardColumns {
  workOrderNo: string;
  waferPn: string | null;
  waferMpn: string | null;
  waferLotId: string | null;
  waferIds: string | null;
  waferQty: number | null;
  chipQty: number | null;
  wipId: string | null;
  remark: string | null;
}

export interface IcopWip extends StandardColumns {
  wipId: string;
  stage: string | null;
  stageName: string | null;
  workOrderNo: string | null;
  workOrderType: string | null;
  processType: string | null;
  lotType: string | null;
  engineeringCode: string | null;
  waferPn: string | null;
  waferMpn: string | null;
  devicePn: string | null;
  deviceErpCode: string | null;
  packageType: string | null;
  productName: string | null;
  waferLotId: string | null;
  waferIds: string | null;
  waferQty: number | null;
  chipQty: number | null;
  inputQty: number | null;
  remainQty: number | null;
  outputQty: number | null;
  lossQty: number | null;
  yield: number | null;
  supplierId: string | null;
  supplierName: string | null;
  siteId: string | null;
  siteName: string | null;
  inventoryOrg: string | null;
  cpTestProgram: string | null;
  frontFtTestProgram: string | null;
  ftTestProgram: string | null;
  ftType: string | null;
  binG: number | null;
  bin1: number | null;
  bin2: number | null;
  bin3: number | null;
  bin4: number | null;
  bin5: number | null;
  bin6: number | null;
  bin7: number | null;
  bin8: number | null;
  bin9: number | null;
  group: number | null;
  marking: string | null;
  originalMarking: string | null;
  dateCode: string | null;
  inTime: MaybeMoment;
  remark: string | null;
  assySiteId: string | null;
  parentWipIds: string | null;
}

export interface IcopWipWafer extends StandardColumns {
  wipId: string;
  waferId: string;
  chipQty: number;
  originalQty: number | null;
}

export interface RmaArrivalBill extends StandardColumns {
  abId: string;
  receiveShipNo: string;
  receivePackageCount: number | null;
  remark: string | null;
  signTime: MaybeMoment;
  status: string;
  mtbId: string | null;
  siteId: string;
  userId: string | null;
}

export interface RmaAssembleBill extends StandardColumns {
  asbId: string;
  sn: string;
  userId: string;
  siteId: string;
  mtbId: string | null;
}

export interface RmaAssembleBillLine extends StandardColumns {
  asbId: string;
  sn: string;
  componentType: string | null;
  qrCodeNum: string | null;
  salesCode: string | null;
  salesDescription: string | null;
}

export interface RmaBurninBill extends StandardColumns {
  bnbId: string;
  userId: string;
  siteId: string;
}

export interface RmaBurninBillLine extends StandardColumns {
  bnbId: string;
  sn: string;
  salesCode: string | null;
  name: string | null;
  icdId: string | null;
  passFlag: string;
  burninUrls: string | null;
  mtbId: string | null;
}

export interface RmaCheckBill extends StandardColumns {
  ckbId: string;
  mtbId: string | null;
  userId: string;
  checkUrls: string | null;
  agentAnswer: string | null;
  siteId: string;
}

export interface RmaCheckBillLine extends StandardColumns {
  ckbId: string;
  sn: string;
  mtbliId: string | null;
  salesCode: string | null;
  name: string | null;
  billTime: MaybeMoment;
  icdIds: string | null;
  icdDescriptions: string | null;
  maintainDate: MaybeDay;
  repairChipCount: number | null;
  powerSn: string | null;
  disposition: string | null;
  scrapStatus: string | null;
  declineScrapRemark: string | null;
  dutySourse: string | null;
  dutySourseRemark: string | null;
  nofaultConfirmStatus: string | null;
  nofaultConfirmRemark: string | null;
}

export interface RmaCorrectionBill extends StandardColumns {
  crbId: string;
  billStatus: string;
  siteId: string;
  rfbId: string | null;
  lcbId: string | null;
  supplierName: string | null;
  recPeriod: string | null;
  reportedIn: string | null;
  currency: string | null;
  lineCount: number | null;
  excludingTaxAmount: MaybeDecimal;
  taxAmount: MaybeDecimal;
  includingTaxAmount: MaybeDecimal;
  resubmitBy: string | null;
  resubmitTime: MaybeMoment;
  financialReviewBy: string | null;
  financialReviewTime: MaybeMoment;
  financialAuditBy: string | null;
  financialAuditTime: MaybeMoment;
  reviewRemark: string | null;
}

export interface RmaCorrectionBillLine extends StandardColumns {
  crbId: string;
  lineId: number;
  sn: string | null;
  deliverShipNo: string | null;
  settledFor: string | null;
  chargeItems: string | null;
  settledAmount: MaybeDecimal;
  includingTaxAmount: MaybeDecimal;
  excludingTaxAmount: MaybeDecimal;
  taxAmount: MaybeDecimal;
  currency: string | null;
  taxRate: MaybeDecimal;
  reason: string | null;
}

export interface RmaDefectiveProductRepairBill extends StandardColumns {
  dpbId: string;
  mtbId: string | null;
  billType: string | null;
  billStatus: string;
  siteId: string;
  receiveShipId: string | null;
  receiveShipNo: string | null;
  count: number | null;
  remark: string | null;
}

export interface RmaDefectiveProductRepairBillLine extends StandardColumns {
  dpbId: string;
  sn: string;
  salesCode: string | null;
  name: string | null;
  remark: string | null;
}

export interface RmaDeliverBill extends StandardColumns {
  dvbId: string;
  skbId: string | null;
  submitType: string | null;
  deliverShipNo: string | null;
  deliverShipId: string | null;
  userId: string;
  siteId: string;
  signForTime: MaybeMoment;
}

export interface RmaDeliverBillLine extends StandardColumns {
  dvbId: string;
  skbId: string | null;
  deliverItemId: number | null;
  mtbId: string | null;
  mtbliId: string | null;
  sn: string;
  salesCode: string | null;
  deliverSalesCode: string | null;
  promisedSalesCode: string | null;
  name: string | null;
}

export interface RmaEnumDepreciation extends StandardColumns {
  value: string;
  name: string;
  nameEn: string;
}

export interface RmaEnumRepairMethod extends StandardColumns {
  value: string;
  name: string;
  nameEn: string;
}

export interface RmaExamineBill extends StandardColumns {
  exbId: string;
  userId: string;
  siteId: string;
}

export interface RmaExamineBillLine extends StandardColumns {
  exbId: string;
  sn: string;
  salesCode: string | null;
  name: string | null;
  icdId: string | null;
  passFlag: string;
  mtbId: string | null;
}

export interface RmaInventory extends StandardColumns {
  sn: string;
  type: string;
  salesCode: string | null;
  itemName: string | null;
  siteId: string;
  ivyId: string | null;
  mtbId: string | null;
  mtblId: string | null;
  mtbliId: string | null;
  subinventoryCode: string | null;
  storageType: string | null;
  holdKind: string | null;
  holdBillId: string | null;
  holdTime: MaybeMoment;
}

export interface RmaLogisticsCostsBill extends StandardColumns {
  lcbId: string;
  billStatus: string;
  siteId: string;
  recPeriod: string | null;
  totalCount: number | null;
  totalAmount: MaybeDecimal;
  currency: string | null;
  correctionAmount: MaybeDecimal;
  financialReviewer: string | null;
  financialReviewTime: MaybeMoment;
  uploadCertificateBy: string | null;
  uploadCertificateTime: MaybeMoment;
  certificateUrls: string | null;
  reviewRemark: string | null;
}

export interface RmaLogisticsCostsBillLine extends StandardColumns {
  lcbId: string;
  deliverShipNo: string;
  logisticsProviders: string | null;
  count: number | null;
  weight: number | null;
  amount: MaybeDecimal;
  currency: string | null;
  productName: string | null;
  chargeItems: string | null;
  isKnown: string | null;
}

export interface RmaMaintainBill extends StandardColumns {
  mtbId: string;
  receiveShipNo: string;
  receivePackageCount: number | null;
  remark: string | null;
  billStatus: string;
  billType: string | null;
  siteId: string;
  receiveShipId: string | null;
  btmMtbId: string | null;
  btmUserId: string | null;
  userName: string;
  mobile: string | null;
  countryId: string | null;
  stateName: string | null;
  cityName: string | null;
  street: string | null;
  packConfirm: string | null;
  operateStatus: string | null;
  attachUrls: string | null;
}

export interface RmaMaintainBillLine extends StandardColumns {
  mtblId: string;
  mtbId: string;
  type: string;
  salesCode: string;
  itemName: string | null;
  productName: string | null;
  count: number;
  receiveCount: number;
  deliverCount: number;
  scrapCount: number;
  discardCount: number;
  buyOutCount: number;
}

export interface RmaMaintainBillLineItem extends StandardColumns {
  mtbliId: string;
  mtblId: string;
  mtbId: string;
  billType: string | null;
  siteId: string;
  receiveSn: string | null;
  powerSn: string | null;
  receiveStatus: string;
  receiveTime: MaybeMoment;
  warranty: string | null;
  maintains: number | null;
  secondHand: string | null;
  depreciation: string | null;
  checkTime: MaybeMoment;
  checkUrls: string | null;
  continues: string | null;
  mixbound: string | null;
  scrap: string | null;
  checkIcdIds: string | null;
  quotedFaultCode: string | null;
  returness: string | null;
  payed: string | null;
  exchange: string | null;
  deliverPayment: string | null;
  stockup: string | null;
  deliverStatus: string;
  deliverTime: MaybeMoment;
  deliverShipNo: string | null;
  deliverSn: string | null;
  deliverSalesCode: string | null;
  deliverPriority: string | null;
  deliverSiteId: string | null;
  deliverShipId: string | null;
  deliverMtbId: string | null;
  deliverGroup: string | null;
}

export interface RmaMiscellaneousExpensesBill extends StandardColumns {
  mebId: string;
  billStatus: string;
  siteId: string;
  correspondsWorkOrder: string;
  btmMtbId: string | null;
  salesCode: string | null;
  salesName: string | null;
  modelAbbreviation: string | null;
  feeType: string | null;
  orgDepart: string | null;
  businessType: string | null;
  sn: string | null;
  currency: string;
  includingTaxAmount: Decimal;
  taxRate: Decimal;
  excludingTaxAmount: MaybeDecimal;
  taxAmount: MaybeDecimal;
  remark: string | null;
  auditBy: string | null;
  auditTime: MaybeMoment;
  rfbId: string | null;
  reviewRemark: string | null;
}

export interface RmaPriceBill extends StandardColumns {
  prbId: string;
  billStatus: string | null;
  siteId: string;
  settleCompany: string;
  supplierName: string;
  repairProject: string;
  warranty: string;
  machineType: string;
  repairType: string;
  currency: string;
  unitPriceWithTax: Decimal;
  taxRate: Decimal;
  unitPriceWithoutTax: MaybeDecimal;
  effectiveDate: Day;
  expirationDate: Day;
  agreedUntil: MaybeDay;
  financialReviewer: string | null;
  financialReviewTime: MaybeMoment;
  reviewRemark: string | null;
}

export interface RmaReceiveBill extends StandardColumns {
  rvbId: string;
  mtbId: string;
  billTime: MaybeMoment;
  userId: string | null;
  siteId: string;
  payAmount: MaybeDecimal;
  payment: string | null;
}

export interface RmaReceiveBillLine extends StandardColumns {
  rvbId: string;
  mtblId: string;
  type: string;
  salesCode: string;
  itemName: string | null;
  count: number;
  receiveCount: number;
}

export interface RmaReceiveBillLineItem extends StandardColumns {
  rvbId: string;
  mtblId: string;
  receiveSn: string;
  issueCodes: string | null;
  depreciation: string | null;
  receiveUrls: string | null;
  type: string | null;
}

export interface RmaRepairBill extends StandardColumns {
  rpbId: string;
  mtbId: string | null;
  mtbliId: string | null;
  sn: string;
  userId: string;
  repairType: string | null;
  siteId: string;
}

export interface RmaRepairBillLine extends StandardColumns {
  rpbId: string;
  partsType: string | null;
  sn: string | null;
  icdIds: string | null;
  icdDescriptions: string | null;
  slot: string | null;
  repairMethod: string | null;
  repairMarking: string | null;
  spendItemDescription: string | null;
  spendCount: number | null;
  repairUrls: string | null;
  replaceSn: string | null;
}

export interface RmaRepairFeeBill extends StandardColumns {
  rfbId: string;
  billStatus: string;
  siteId: string;
  supplierName: string | null;
  recPeriod: string | null;
  startDate: MaybeDay;
  endDate: MaybeDay;
  currency: string | null;
  lineCount: number | null;
  excludingTaxAmount: MaybeDecimal;
  taxAmount: MaybeDecimal;
  includingTaxAmount: MaybeDecimal;
  correctionAmount: MaybeDecimal;
  resubmitBy: string | null;
  resubmitTime: MaybeMoment;
  workChangedTime: MaybeMoment;
  afterSalesReviewBy: string | null;
  afterSalesReviewTime: MaybeMoment;
  financialReviewBy: string | null;
  financialReviewTime: MaybeMoment;
  uploadInvoiceBy: string | null;
  uploadInvoiceTime: MaybeMoment;
  financialAuditBy: string | null;
  financialAuditTime: MaybeMoment;
  invoiceUrls: string | null;
  processingFeeReportUrl: string | null;
  reviewRemark: string | null;
}

export interface RmaRepairFeeBillLine extends StandardColumns {
  rfbId: string;
  mtbliId: string | null;
  mtbId: string | null;
  btmMtbId: string | null;
  sn: string | null;
  salesCode: string | null;
  salesName: string | null;
  modelAbbreviation: string | null;
  businessType: string | null;
  repairProject: string | null;
  warranty: string | null;
  repairType: string | null;
  feeType: string | null;
  orgDepart: string | null;
  correspondsWorkOrder: string | null;
  isSecondRepair: string | null;
  quantity: number | null;
  unitPrice: MaybeDecimal;
  totalPrice: MaybeDecimal;
  currency: string | null;
  taxRate: MaybeDecimal;
  excludingTaxAmount: MaybeDecimal;
  taxAmount: MaybeDecimal;
  includingTaxAmount: MaybeDecimal;
  previousAmount: MaybeDecimal;
  rolledBack: string | null;
  priceChanged: string | null;
  priceConfirmReason: string | null;
  priceConfirmBy: string | null;
  priceConfirmTime: MaybeMoment;
  priceConfirmedBeside: string | null;
  isPriced: string | null;
  priceReason: string | null;
  prbId: string | null;
  settledOn: MaybeDay;
  repairTime: MaybeMoment;
  deliverTime: MaybeMoment;
  remark: string | null;
}

export interface RmaRepairSupplier extends StandardColumns {
  supplierName: string;
  supplierNameEn: string | null;
  contact: string | null;
  phone: string | null;
  email: string | null;
  remark: string | null;
}

export interface RmaReport extends StandardColumns {
  btnNo: string;
  name: string;
  nameEn: string;
}

export interface RmaScrapRepairBill extends StandardColumns {
  srbId: string;
  billType: string | null;
  billStatus: string;
  siteId: string;
  count: number | null;
  department: string | null;
  remark: string | null;
  acceptBy: string | null;
  acceptTime: MaybeMoment;
}

export interface RmaScrapRepairBillLine extends StandardColumns {
  srbId: string;
  sn: string;
  salesCode: string | null;
  name: string | null;
  snRole: string | null;
  productSn: string | null;
  checkIcdIds: string | null;
  rpbId: string | null;
  asbId: string | null;
}

export interface RmaSelfPickup extends StandardColumns {
  spkId: string;
  selfPickupStatus: string;
  mtbId: string | null;
  btmMtbId: string | null;
  btmUserId: string | null;
  siteId: string;
  companyName: string | null;
  pickupAddress: string | null;
  pickupTime: MaybeMoment;
  branchContact: string | null;
  rejectionReason: string | null;
  reviewBy: string | null;
  reviewTime: MaybeMoment;
  documentUrls: string | null;
}

export interface RmaSelfPickupLine extends StandardColumns {
  spkId: string;
  itemName: string | null;
  sn: string | null;
  remark: string | null;
}

export interface RmaSiteRepairBill extends StandardColumns {
  osbId: string;
  billStatus: string;
  mtbId: string | null;
  siteId: string;
  userName: string | null;
  deviceCount: number | null;
  remark: string | null;
  finishBy: string | null;
  finishTime: MaybeMoment;
}

export interface RmaSiteRepairBillLine extends StandardColumns {
  osbId: string;
  productSn: string;
  salesCode: string | null;
  name: string | null;
  checkIcdIds: string | null;
  componentSn: string | null;
  partsType: string | null;
  icdIds: string | null;
  repairMethod: string | null;
  slot: string | null;
  repairMarking: string | null;
  spendItemDescription: string | null;
  spendItemCount: number | null;
  repairUrls: string | null;
  userId: string | null;
  submitTime: MaybeMoment;
}

export interface RmaStockTransferBill extends StandardColumns {
  sktbId: string;
  billStatus: string;
  deliverSiteId: string;
  receiveSiteId: string;
  count: number | null;
  deliverBy: string | null;
  deliverTime: MaybeMoment;
  receiveBy: string | null;
  receiveTime: MaybeMoment;
  remark: string | null;
}

export interface RmaStockTransferBillLine extends StandardColumns {
  sktblId: string;
  sktbId: string;
  salesCode: string | null;
  name: string | null;
  storageType: string | null;
  itemType: string | null;
  count: number | null;
  remark: string | null;
}

export interface RmaStockTransferBillLineItem extends StandardColumns {
  sktblId: string;
  sktbId: string | null;
  sn: string | null;
  snStatus: string | null;
  fromNode: string | null;
  fromSubinventoryCode: string | null;
}

export interface RmaStockupBill extends StandardColumns {
  skbId: string;
  mtbId: string;
  status: string;
  allCount: number | null;
  deliverShipNo: string;
  deliverShipId: string | null;
  deliverSiteId: string | null;
  deliverGroup: string | null;
  siteId: string;
  deliveredCount: number | null;
}

export interface RmaStockupBillLine extends StandardColumns {
  skblId: string;
  skbId: string;
  mtbId: string;
  mtblId: string;
  mtbliId: string;
  itemId: number | null;
  sn: string;
  salesCode: string | null;
  productName: string | null;
  delivered: string;
}

export interface RmaStoreBill extends StandardColumns {
  stbId: string;
  packageCount: number | null;
  subinventoryCode: string | null;
  userId: string;
  siteId: string;
}

export interface RmaStoreBillLine extends StandardColumns {
  stbId: string;
  sn: string;
  salesCode: string | null;
  name: string | null;
  icdId: string | null;
  mtbId: string | null;
}

export interface RmaTransaction extends StandardColumns {
  sn: string;
  mtbId: string | null;
  mtbliId: string | null;
  siteId: string;
  fromSiteId: string | null;
  step: string;
  billId: string | null;
  fromNode: string | null;
  toNode: string | null;
  fromSubinventoryCode: string | null;
  fromStorageType: string | null;
  operateStatus: string;
  rolledBackTime: MaybeMoment;
  eventTime: Moment;
  userId: string | null;
  note: string | null;
}

export interface RmaUnhandledPackageBill extends StandardColumns {
  upbId: string;
  status: string;
  languageType: string;
  receiveShipId: string;
  receiveShipNo: string;
  repairableCount: number;
  userName: string;
  mobile: string;
  phone: string | null;
  fax: string | null;
  countryCode: string;
  stateCode: string | null;
  stateName: string | null;
  cityName: string | null;
  street: string | null;
  zipcode: string | null;
  repairInfo: string | null;
  urlName: string | null;
  mtbId: string | null;
  pendingTime: MaybeMoment;
  siteId: string;
}

export interface RmaWebSync extends StandardColumns {
  module: string;
  recordId: string;
  mtbId: string | null;
  status: string;
  queueTime: Moment;
  sentTime: MaybeMoment;
  attempts: number | null;
  retryTime: MaybeMoment;
  error: string | null;
  payload: string | null;
  siteId: string | null;
}

export interface SysServiceToken extends StandardColumns {
  name: string;
  scope: string;
  siteId: string;
  userOid: string | null;
  status: string;
  expireTime: Moment;
  overlapTime: MaybeMoment;
  lastUsedTime: MaybeMoment;
}

export interface SysBtn extends StandardColumns {
  menuNo: string;
  btnNo: string;
  btnName: string;
  btnNameEn: string;
  btnScript: string;
}

export interface SysDraft extends StandardColumns {
  name: string;
  status: string;
  modules: string | null;
  publishId: number | null;
}

export interface SysMenu extends StandardColumns {
  menuNo: string;
  parentNo: string | null;
  menuName: string;
  menuNameEn: string;
  module: string | null;
  orderNo: number;
}

export interface UbsAssembly extends StandardColumns {
  deviceSn: string;
  componentSn: string;
  componentType: string | null;
  qrCodeNum: string | null;
  salesCode: string | null;
  bindTime: MaybeMoment;
  unbindTime: MaybeMoment;
  billId: string | null;
}

export interface UbsBom extends StandardColumns {
  bomid: string;
  bomdescription: string;
  salesCode: string | null;
}

export interface UbsBomItem extends StandardColumns {
  bomid: string;
  location: string;
  productName: string;
}

export interface UbsCity extends StandardColumns {
  cityId: string;
  stateId: string;
  name: string;
  nameEn: string | null;
}

export interface UbsCountry extends StandardColumns {
  countryId: string;
  name: string;
  nameEn: string | null;
}

export interface UbsEnumComponentType extends StandardColumns {
  value: string;
  name: string;
  nameEn: string;
}

export interface UbsEnumPartsType extends StandardColumns {
  value: string;
  name: string;
  nameEn: string;
}

export interface UbsIssueCode extends StandardColumns {
  codeId: number;
  code: string;
  name: string;
  nameEn: string;
  billType: string;
  disposition: string | null;
  passFlag: string | null;
  imageRequired: string | null;
}

export interface UbsItem extends StandardColumns {
  itemId: number;
  salesCode: string | null;
  name: string;
  productName: string | null;
  type: string;
  deviceType: string | null;
  itemType: string | null;
  slaveCodes: string | null;
  snControl: string;
  bomId: string | null;
  boardCount: number | null;
  modelCode: string | null;
  family: string | null;
  saleDesc: string | null;
  productVerList: string | null;
}

export interface UbsItemObject extends StandardColumns {
  sn: string;
  itemId: number | null;
  salesCode: string | null;
  itemName: string | null;
  type: string;
  origin: string;
  productOrder: string | null;
  customer: string | null;
  outTime: MaybeMoment;
  warrantyUntil: MaybeDay;
  modelCode: string | null;
  productVer: string | null;
  productVerType: string | null;
  barcodeType: string | null;
  printReason: string | null;
  printCount: number | null;
}

export interface UbsLabelPrint extends StandardColumns {
  sn: string;
  printKind: string;
  barcodeType: string;
  modelCode: string | null;
  printer: string | null;
  result: string;
  siteId: string;
  printNo: string;
}

export interface UbsLabelRule extends StandardColumns {
  siteId: string | null;
  name: string;
  kind: string;
  template: string | null;
  snLength: number | null;
  seq: number | null;
  enabled: string;
  remark: string | null;
}

export interface UbsModelFamily extends StandardColumns {
  family: string;
  remark: string | null;
}

export interface UbsProductOrder extends StandardColumns {
  orderNo: string;
  salesCode: string;
  productVer: string | null;
  qty: number;
  status: string;
  startDate: MaybeDay;
  remark: string | null;
}

export interface UbsShipment extends StandardColumns {
  shipId: string;
  name: string;
  nameEn: string | null;
}

export interface UbsSite extends StandardColumns {
  siteId: string;
  siteName: string;
  siteNameEn: string | null;
  country: string | null;
  address: string | null;
  contact: string | null;
  phone: string | null;
  signFirst: string | null;
}

export interface UbsSnChangeLog extends StandardColumns {
  oldSn: string;
  newSn: string;
  cause: string;
  salesCode: string | null;
  siteId: string;
  operateStatus: string;
  itemObjectId: number | null;
  remark: string | null;
}

export interface UbsState extends StandardColumns {
  stateId: string;
  countryId: string;
  name: string;
  nameEn: string | null;
}

export interface UbsSubinventory extends StandardColumns {
  subinventoryCode: string;
  name: string;
  nameEn: string | null;
  siteId: string;
  storageType: string;
}

export interface UserSpeed extends StandardColumns {
  userOid: string;
  name: string | null;
  coin: string | null;
  siteId: string | null;
  currentRate: number | null;
  workersOnline: number | null;
  workerCount: number | null;
  lastSeenTime: MaybeMoment;
}

export interface UserWorker extends StandardColumns {
  workerId: string;
  userOid: string | null;
  sn: string | null;
  siteId: string | null;
  currentRate: number | null;
  lastSeenTime: MaybeMoment;
}

export interface Tables extends PlatformTables {
  admin_role: AdminRole;
  admin_user: AdminUser;
  icop_assembly_work_order: IcopAssemblyWorkOrder;
  icop_assembly_work_order_line: IcopAssemblyWorkOrderLine;
  icop_bumping_cp_work_order: IcopBumpingCpWorkOrder;
  icop_bumping_cp_work_order_line: IcopBumpingCpWorkOrderLine;
  icop_ft_work_order: IcopFtWorkOrder;
  icop_ft_work_order_line: IcopFtWorkOrderLine;
  icop_part_number: IcopPartNumber;
  icop_part_number_line: IcopPartNumberLine;
  icop_store: IcopStore;
  icop_supplier: IcopSupplier;
  icop_transaction: IcopTransaction;
  icop_wafer_work_order: IcopWaferWorkOrder;
  icop_wafer_work_order_line: IcopWaferWorkOrderLine;
  icop_wip: IcopWip;
  icop_wip_wafer: IcopWipWafer;
  rma_arrival_bill: RmaArrivalBill;
  rma_assemble_bill: RmaAssembleBill;
  rma_assemble_bill_line: RmaAssembleBillLine;
  rma_burnin_bill: RmaBurninBill;
  rma_burnin_bill_line: RmaBurninBillLine;
  rma_check_bill: RmaCheckBill;
  rma_check_bill_line: RmaCheckBillLine;
  rma_correction_bill: RmaCorrectionBill;
  rma_correction_bill_line: RmaCorrectionBillLine;
  rma_defective_product_repair_bill: RmaDefectiveProductRepairBill;
  rma_defective_product_repair_bill_line: RmaDefectiveProductRepairBillLine;
  rma_deliver_bill: RmaDeliverBill;
  rma_deliver_bill_line: RmaDeliverBillLine;
  rma_enum_depreciation: RmaEnumDepreciation;
  rma_enum_repair_method: RmaEnumRepairMethod;
  rma_examine_bill: RmaExamineBill;
  rma_examine_bill_line: RmaExamineBillLine;
  rma_inventory: RmaInventory;
  rma_logistics_costs_bill: RmaLogisticsCostsBill;
  rma_logistics_costs_bill_line: RmaLogisticsCostsBillLine;
  rma_maintain_bill: RmaMaintainBill;
  rma_maintain_bill_line: RmaMaintainBillLine;
  rma_maintain_bill_line_item: RmaMaintainBillLineItem;
  rma_miscellaneous_expenses_bill: RmaMiscellaneousExpensesBill;
  rma_price_bill: RmaPriceBill;
  rma_receive_bill: RmaReceiveBill;
  rma_receive_bill_line: RmaReceiveBillLine;
  rma_receive_bill_line_item: RmaReceiveBillLineItem;
  rma_repair_bill: RmaRepairBill;
  rma_repair_bill_line: RmaRepairBillLine;
  rma_repair_fee_bill: RmaRepairFeeBill;
  rma_repair_fee_bill_line: RmaRepairFeeBillLine;
  rma_repair_supplier: RmaRepairSupplier;
  rma_report: RmaReport;
  rma_scrap_repair_bill: RmaScrapRepairBill;
  rma_scrap_repair_bill_line: RmaScrapRepairBillLine;
  rma_self_pickup: RmaSelfPickup;
  rma_self_pickup_line: RmaSelfPickupLine;
  rma_site_repair_bill: RmaSiteRepairBill;
  rma_site_repair_bill_line: RmaSiteRepairBillLine;
  rma_stock_transfer_bill: RmaStockTransferBill;
  rma_stock_transfer_bill_line: RmaStockTransferBillLine;
  rma_stock_transfer_bill_line_item: RmaStockTransferBillLineItem;
  rma_stockup_bill: RmaStockupBill;
  rma_stockup_bill_line: RmaStockupBillLine;
  rma_store_bill: RmaStoreBill;
  rma_store_bill_line: RmaStoreBillLine;
  rma_transaction: RmaTransaction;
  rma_unhandled_package_bill: RmaUnhandledPackageBill;
  rma_web_sync: RmaWebSync;
  service_token: SysServiceToken;
  sys_btn: SysBtn;
  sys_draft: SysDraft;
  sys_menu: SysMenu;
  ubs_assembly: UbsAssembly;
  ubs_bom: UbsBom;
  ubs_bom_item: UbsBomItem;
  ubs_city: UbsCity;
  ubs_country: UbsCountry;
  ubs_enum_component_type: UbsEnumComponentType;
  ubs_enum_parts_type: UbsEnumPartsType;
  ubs_issue_code: UbsIssueCode;
  ubs_item: UbsItem;
  ubs_item_object: UbsItemObject;
  ubs_label_print: UbsLabelPrint;
  ubs_label_rule: UbsLabelRule;
  ubs_model_family: UbsModelFamily;
  ubs_product_order: UbsProductOrder;
  ubs_shipment: UbsShipment;
  ubs_site: UbsSite;
  ubs_sn_change_log: UbsSnChangeLog;
  ubs_state: UbsState;
  ubs_subinventory: UbsSubinventory;
  user_speed: UserSpeed;
  user_worker: UserWorker;
}

/** The table of each module that has one of its own. */
export interface Modules {
  adminRole: AdminRole;
  adminUser: AdminUser;
  icopAssemblyWorkOrder: IcopAssemblyWorkOrder;
  icopAssemblyWorkOrderLine: IcopAssemblyWorkOrderLine;
  icopBumpingCpWorkOrder: IcopBumpingCpWorkOrder;
  icopBumpingCpWorkOrderLine: IcopBumpingCpWorkOrderLine;
  icopFtWorkOrder: IcopFtWorkOrder;
  icopFtWorkOrderLine: IcopFtWorkOrderLine;
  icopPartNumber: IcopPartNumber;
  icopPartNumberLine: IcopPartNumberLine;
  icopStore: IcopStore;
  icopSupplier: IcopSupplier;
  icopTransaction: IcopTransaction;
  icopWaferWorkOrder: IcopWaferWorkOrder;
  icopWaferWorkOrderLine: IcopWaferWorkOrderLine;
  icopWip: IcopWip;
  icopWipWafer: IcopWipWafer;
  rmaArrivalBill: RmaArrivalBill;
  rmaAssembleBill: RmaAssembleBill;
  rmaAssembleBillLine: RmaAssembleBillLine;
  rmaBurninBill: RmaBurninBill;
  rmaBurninBillLine: RmaBurninBillLine;
  rmaCheckBill: RmaCheckBill;
  rmaCheckBillLine: RmaCheckBillLine;
  rmaCorrectionBill: RmaCorrectionBill;
  rmaCorrectionBillLine: RmaCorrectionBillLine;
  rmaDefectiveProductRepairBill: RmaDefectiveProductRepairBill;
  rmaDefectiveProductRepairBillLine: RmaDefectiveProductRepairBillLine;
  rmaDeliverBill: RmaDeliverBill;
  rmaDeliverBillLine: RmaDeliverBillLine;
  rmaEnumDepreciation: RmaEnumDepreciation;
  rmaEnumRepairMethod: RmaEnumRepairMethod;
  rmaExamineBill: RmaExamineBill;
  rmaExamineBillLine: RmaExamineBillLine;
  rmaInventory: RmaInventory;
  rmaLogisticsCostsBill: RmaLogisticsCostsBill;
  rmaLogisticsCostsBillLine: RmaLogisticsCostsBillLine;
  rmaMaintainBill: RmaMaintainBill;
  rmaMaintainBillLine: RmaMaintainBillLine;
  rmaMaintainBillLineItem: RmaMaintainBillLineItem;
  rmaMiscellaneousExpensesBill: RmaMiscellaneousExpensesBill;
  rmaPriceBill: RmaPriceBill;
  rmaReceiveBill: RmaReceiveBill;
  rmaReceiveBillLine: RmaReceiveBillLine;
  rmaReceiveBillLineItem: RmaReceiveBillLineItem;
  rmaRepairBill: RmaRepairBill;
  rmaRepairBillLine: RmaRepairBillLine;
  rmaRepairFeeBill: RmaRepairFeeBill;
  rmaRepairFeeBillLine: RmaRepairFeeBillLine;
  rmaRepairSupplier: RmaRepairSupplier;
  rmaReport: RmaReport;
  rmaScrapRepairBill: RmaScrapRepairBill;
  rmaScrapRepairBillLine: RmaScrapRepairBillLine;
  rmaSelfPickup: RmaSelfPickup;
  rmaSelfPickupLine: RmaSelfPickupLine;
  rmaSiteRepairBill: RmaSiteRepairBill;
  rmaSiteRepairBillLine: RmaSiteRepairBillLine;
  rmaStockTransferBill: RmaStockTransferBill;
  rmaStockTransferBillLine: RmaStockTransferBillLine;
  rmaStockTransferBillLineItem: RmaStockTransferBillLineItem;
  rmaStockupBill: RmaStockupBill;
  rmaStockupBillLine: RmaStockupBillLine;
  rmaStoreBill: RmaStoreBill;
  rmaStoreBillLine: RmaStoreBillLine;
  rmaTransaction: RmaTransaction;
  rmaUnhandledPackageBill: RmaUnhandledPackageBill;
  rmaWebSync: RmaWebSync;
  sysServiceToken: SysServiceToken;
  sysBtn: SysBtn;
  sysDraft: SysDraft;
  sysMenu: SysMenu;
  ubsAssembly: UbsAssembly;
  ubsBom: UbsBom;
  ubsBomItem: UbsBomItem;
  ubsCity: UbsCity;
  ubsCountry: UbsCountry;
  ubsEnumComponentType: UbsEnumComponentType;
  ubsEnumPartsType: UbsEnumPartsType;
  ubsIssueCode: UbsIssueCode;
  ubsItem: UbsItem;
  ubsItemObject: UbsItemObject;
  ubsLabelPrint: UbsLabelPrint;
  ubsLabelRule: UbsLabelRule;
  ubsModelFamily: UbsModelFamily;
  ubsProductOrder: UbsProductOrder;
  ubsShipment: UbsShipment;
  ubsSite: UbsSite;
  ubsSnChangeLog: UbsSnChangeLog;
  ubsState: UbsState;
  ubsSubinventory: UbsSubinventory;
  userSpeed: UserSpeed;
  userWorker: UserWorker;
}
