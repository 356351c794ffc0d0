// Written by `npm run definitions:types` from definitions/. Do not edit.
import type { ColumnType, Generated } from 'kysely';
import type { MaybeMoment, PlatformTables } from '#server/db/platformTables.ts';

/** A decimal: read as a string, so that no digit is lost. */
type Decimal = ColumnType<string | null, string | number | null | undefined, string | number | null>;
/** A calendar day: read as epoch ms of its midnight in the workshop's zone, written as yyyy-mm-dd. */
type Day = ColumnType<number | null, string | null | undefined, string | null>;

interface StandardColumns {
  id: Generated<number>;
  version: Generated<number>;
  createBy: Generated<string>;
  createTime: ColumnType<number, Date | string | undefined, Date | string>;
  updateBy: string | null;
  updateTime: MaybeMoment;
}

export interface AdminRole extends StandardColumns {
  roleId: string | null;
  name: string | null;
  nameEn: string | null;
  allSites: string | null;
}

export interface AdminUser extends StandardColumns {
  userId: string | null;
  userName: string | null;
  password: string | null;
  roleIds: string | null;
  siteId: string | null;
  allSites: string | null;
  status: string | null;
  mobile: string | null;
  email: string | null;
}

export interface RmaArrivalBill extends StandardColumns {
  abId: string | null;
  receiveShipNo: string | null;
  receivePackageCount: number | null;
  remark: string | null;
  signTime: MaybeMoment;
  status: string | null;
  mtbId: string | null;
  siteId: string | null;
  userId: string | null;
}

export interface RmaAssembleBill extends StandardColumns {
  asbId: string | null;
  sn: string | null;
  userId: string | null;
  siteId: string | null;
  mtbId: string | null;
}

export interface RmaAssembleBillLine extends StandardColumns {
  asbId: string | null;
  sn: string | null;
  componentType: string | null;
  qrCodeNum: string | null;
  salesCode: string | null;
  salesDescription: string | null;
}

export interface RmaBurninBill extends StandardColumns {
  bnbId: string | null;
  userId: string | null;
  siteId: string | null;
}

export interface RmaBurninBillLine extends StandardColumns {
  bnbId: string | null;
  sn: string | null;
  salesCode: string | null;
  name: string | null;
  icdId: string | null;
  passFlag: string | null;
  burninUrls: string | null;
  mtbId: string | null;
}

export interface RmaCheckBill extends StandardColumns {
  ckbId: string | null;
  mtbId: string | null;
  userId: string | null;
  checkUrls: string | null;
  agentAnswer: string | null;
  siteId: string | null;
}

export interface RmaCheckBillLine extends StandardColumns {
  ckbId: string | null;
  sn: string | null;
  salesCode: string | null;
  name: string | null;
  billTime: MaybeMoment;
  icdIds: string | null;
  icdDescriptions: string | null;
  maintainDate: Day;
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

export interface RmaDeliverBill extends StandardColumns {
  dvbId: string | null;
  skbId: string | null;
  submitType: string | null;
  deliverShipNo: string | null;
  deliverShipId: string | null;
  userId: string | null;
  siteId: string | null;
}

export interface RmaDeliverBillLine extends StandardColumns {
  dvbId: string | null;
  skbId: string | null;
  deliverItemId: number | null;
  mtbId: string | null;
  mtbliId: string | null;
  sn: string | null;
  salesCode: string | null;
  deliverSalesCode: string | null;
  name: string | null;
}

export interface RmaEnumDepreciation extends StandardColumns {
  value: string | null;
  name: string | null;
  nameEn: string | null;
}

export interface RmaEnumRepairMethod extends StandardColumns {
  value: string | null;
  name: string | null;
  nameEn: string | null;
}

export interface RmaExamineBill extends StandardColumns {
  exbId: string | null;
  userId: string | null;
  siteId: string | null;
}

export interface RmaExamineBillLine extends StandardColumns {
  exbId: string | null;
  sn: string | null;
  salesCode: string | null;
  name: string | null;
  icdId: string | null;
  passFlag: string | null;
  mtbId: string | null;
}

export interface RmaInventory extends StandardColumns {
  sn: string | null;
  type: string | null;
  salesCode: string | null;
  itemName: string | null;
  siteId: string | null;
  ivyId: string | null;
  mtbId: string | null;
  mtblId: string | null;
  mtbliId: string | null;
  subinventoryCode: string | null;
  storageType: string | null;
}

export interface RmaMaintainBill extends StandardColumns {
  mtbId: string | null;
  receiveShipNo: string | null;
  receivePackageCount: number | null;
  remark: string | null;
  billStatus: string | null;
  siteId: string | null;
  receiveShipId: string | null;
  btmMtbId: string | null;
  btmUserId: string | null;
  userName: string | null;
  mobile: string | null;
  countryId: string | null;
  stateName: string | null;
  cityName: string | null;
  street: string | null;
  packConfirm: string | null;
  operateStatus: string | null;
}

export interface RmaMaintainBillLine extends StandardColumns {
  mtblId: string | null;
  mtbId: string | null;
  type: string | null;
  salesCode: string | null;
  itemName: string | null;
  productName: string | null;
  count: number | null;
  receiveCount: number | null;
  deliverCount: number | null;
  scrapCount: number | null;
  discardCount: number | null;
  buyOutCount: number | null;
}

export interface RmaMaintainBillLineItem extends StandardColumns {
  mtbliId: string | null;
  mtblId: string | null;
  mtbId: string | null;
  siteId: string | null;
  receiveSn: string | null;
  powerSn: string | null;
  receiveStatus: string | null;
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
  deliverStatus: string | null;
  deliverTime: MaybeMoment;
  deliverShipNo: string | null;
  deliverSn: string | null;
  deliverSalesCode: string | null;
  deliverPriority: string | null;
  deliverSiteId: string | null;
  deliverShipId: string | null;
}

export interface RmaReceiveBill extends StandardColumns {
  rvbId: string | null;
  mtbId: string | null;
  billTime: MaybeMoment;
  userId: string | null;
  siteId: string | null;
  payAmount: Decimal;
  payment: string | null;
}

export interface RmaReceiveBillLine extends StandardColumns {
  rvbId: string | null;
  mtblId: string | null;
  type: string | null;
  salesCode: string | null;
  itemName: string | null;
  count: number | null;
  receiveCount: number | null;
}

export interface RmaReceiveBillLineItem extends StandardColumns {
  rvbId: string | null;
  mtblId: string | null;
  receiveSn: string | null;
  issueCodes: string | null;
  depreciation: string | null;
  receiveUrls: string | null;
  type: string | null;
}

export interface RmaRepairBill extends StandardColumns {
  rpbId: string | null;
  mtbId: string | null;
  sn: string | null;
  userId: string | null;
  repairType: string | null;
  siteId: string | null;
}

export interface RmaRepairBillLine extends StandardColumns {
  rpbId: string | null;
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

export interface RmaStockupBill extends StandardColumns {
  skbId: string | null;
  mtbId: string | null;
  status: string | null;
  allCount: number | null;
  deliverShipNo: string | null;
  deliverShipId: string | null;
  deliverSiteId: string | null;
  siteId: string | null;
  deliveredCount: number | null;
}

export interface RmaStockupBillLine extends StandardColumns {
  skblId: string | null;
  skbId: string | null;
  mtbId: string | null;
  mtblId: string | null;
  mtbliId: string | null;
  itemId: number | null;
  sn: string | null;
  salesCode: string | null;
  productName: string | null;
  delivered: string | null;
}

export interface RmaStoreBill extends StandardColumns {
  stbId: string | null;
  packageCount: number | null;
  subinventoryCode: string | null;
  userId: string | null;
  siteId: string | null;
}

export interface RmaStoreBillLine extends StandardColumns {
  stbId: string | null;
  sn: string | null;
  salesCode: string | null;
  name: string | null;
  icdId: string | null;
  mtbId: string | null;
}

export interface RmaTransaction extends StandardColumns {
  sn: string | null;
  mtbId: string | null;
  siteId: string | null;
  step: string | null;
  billId: string | null;
  fromNode: string | null;
  toNode: string | null;
  operateStatus: string | null;
  eventTime: MaybeMoment;
  userId: string | null;
  note: string | null;
}

export interface SysBtn extends StandardColumns {
  menuNo: string | null;
  btnNo: string | null;
  btnName: string | null;
  btnNameEn: string | null;
  btnScript: string | null;
}

export interface SysMenu extends StandardColumns {
  menuNo: string | null;
  parentNo: string | null;
  menuName: string | null;
  menuNameEn: string | null;
  module: string | null;
  orderNo: number | null;
}

export interface UbsAssembly extends StandardColumns {
  deviceSn: string | null;
  componentSn: string | null;
  componentType: string | null;
  qrCodeNum: string | null;
  salesCode: string | null;
  bindTime: MaybeMoment;
  unbindTime: MaybeMoment;
  billId: string | null;
}

export interface UbsBom extends StandardColumns {
  bomid: string | null;
  bomdescription: string | null;
  salesCode: string | null;
}

export interface UbsBomItem extends StandardColumns {
  bomid: string | null;
  location: string | null;
  productName: string | null;
}

export interface UbsCity extends StandardColumns {
  cityId: string | null;
  stateId: string | null;
  name: string | null;
}

export interface UbsCountry extends StandardColumns {
  countryId: string | null;
  name: string | null;
}

export interface UbsEnumComponentType extends StandardColumns {
  value: string | null;
  name: string | null;
  nameEn: string | null;
}

export interface UbsEnumPartsType extends StandardColumns {
  value: string | null;
  name: string | null;
  nameEn: string | null;
}

export interface UbsIssueCode extends StandardColumns {
  codeId: number | null;
  code: string | null;
  name: string | null;
  nameEn: string | null;
  billType: string | null;
  disposition: string | null;
  passFlag: string | null;
  imageRequired: string | null;
}

export interface UbsItem extends StandardColumns {
  itemId: number | null;
  salesCode: string | null;
  name: string | null;
  productName: string | null;
  type: string | null;
  deviceType: string | null;
  slaveCodes: string | null;
  snControl: string | null;
  bomId: string | null;
  boardCount: number | null;
}

export interface UbsItemObject extends StandardColumns {
  sn: string | null;
  itemId: number | null;
  salesCode: string | null;
  itemName: string | null;
  type: string | null;
  origin: string | null;
  productOrder: string | null;
  customer: string | null;
  outTime: MaybeMoment;
  warrantyUntil: Day;
}

export interface UbsShipment extends StandardColumns {
  shipId: string | null;
  name: string | null;
}

export interface UbsSite extends StandardColumns {
  siteId: string | null;
  siteName: string | null;
  country: string | null;
  address: string | null;
  contact: string | null;
  phone: string | null;
}

export interface UbsState extends StandardColumns {
  stateId: string | null;
  countryId: string | null;
  name: string | null;
}

export interface UbsSubinventory extends StandardColumns {
  subinventoryCode: string | null;
  name: string | null;
  siteId: string | null;
  storageType: string | null;
}

export interface Tables extends PlatformTables {
  admin_role: AdminRole;
  admin_user: AdminUser;
  rma_arrival_bill: RmaArrivalBill;
  rma_assemble_bill: RmaAssembleBill;
  rma_assemble_bill_line: RmaAssembleBillLine;
  rma_burnin_bill: RmaBurninBill;
  rma_burnin_bill_line: RmaBurninBillLine;
  rma_check_bill: RmaCheckBill;
  rma_check_bill_line: RmaCheckBillLine;
  rma_deliver_bill: RmaDeliverBill;
  rma_deliver_bill_line: RmaDeliverBillLine;
  rma_enum_depreciation: RmaEnumDepreciation;
  rma_enum_repair_method: RmaEnumRepairMethod;
  rma_examine_bill: RmaExamineBill;
  rma_examine_bill_line: RmaExamineBillLine;
  rma_inventory: RmaInventory;
  rma_maintain_bill: RmaMaintainBill;
  rma_maintain_bill_line: RmaMaintainBillLine;
  rma_maintain_bill_line_item: RmaMaintainBillLineItem;
  rma_receive_bill: RmaReceiveBill;
  rma_receive_bill_line: RmaReceiveBillLine;
  rma_receive_bill_line_item: RmaReceiveBillLineItem;
  rma_repair_bill: RmaRepairBill;
  rma_repair_bill_line: RmaRepairBillLine;
  rma_stockup_bill: RmaStockupBill;
  rma_stockup_bill_line: RmaStockupBillLine;
  rma_store_bill: RmaStoreBill;
  rma_store_bill_line: RmaStoreBillLine;
  rma_transaction: RmaTransaction;
  sys_btn: SysBtn;
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
  ubs_shipment: UbsShipment;
  ubs_site: UbsSite;
  ubs_state: UbsState;
  ubs_subinventory: UbsSubinventory;
}
