/**
 * What the wire and the tables write for each state, given once; the labels stand in `definitions/options.json`.
 * Rule: wire#enumerations.
 */
export const BillStatus = {
  Awaiting: '0',
  Received: '1',
  Finished: '2',
  NotReceived: '3',
  ReceivedLater: '4',
} as const;
export type BillStatus = (typeof BillStatus)[keyof typeof BillStatus];

/** Bills of the site's own goods; a customer's bill has no type. Rule: bills#own-goods. */
export const OwnBillType = { DefectiveRepair: '9', TestPackage: '10' } as const;
export type OwnBillType = (typeof OwnBillType)[keyof typeof OwnBillType];

export const DeliverStatus = { CannotShip: '0', CanShip: '1', Shipped: '2', Scrapped: '3', BoughtOut: '4' } as const;
export type DeliverStatus = (typeof DeliverStatus)[keyof typeof DeliverStatus];
/** How an item ends is not settled yet. */
export const undeliveredItems: readonly string[] = [DeliverStatus.CannotShip, DeliverStatus.CanShip];

export const DeliverPriority = { Normal: '0', Priority: '1', Paused: '2' } as const;

/** Rule: bills#receive-states. */
export const ReceiveStatus = { Awaiting: '0', Received: '1', NotReceived: '2', ReceivedLater: '3' } as const;
/** An item is in the workshop, or was. */
export const receivedItems: readonly string[] = [ReceiveStatus.Received, ReceiveStatus.ReceivedLater];
/** An item was declared and has not come. */
export const unreceivedItems: readonly string[] = [ReceiveStatus.Awaiting, ReceiveStatus.NotReceived];

/** Who paid the carrier of a parcel that comes in. */
export const ReceivePayment = { Send: '0', Arrival: '1' } as const;

export const GoodsType = { Device: '0', Board: '1' } as const;
export type GoodsType = (typeof GoodsType)[keyof typeof GoodsType];

export const ArrivalStatus = { Signed: '0', Accepted: '1' } as const;

export const StockupStatus = { Open: '0', Partly: '1', Finished: '2', Stopped: '3', Cancelled: '4' } as const;
export type StockupStatus = (typeof StockupStatus)[keyof typeof StockupStatus];
/** A stock-up bill ships as it is. Rule: stock-up#states. */
export const shippingStockups: readonly string[] = [StockupStatus.Open, StockupStatus.Partly];
/** Something is still to leave on it, be it only after a reset. Rule: stock-up#states. */
export const activeStockups: readonly string[] = [...shippingStockups, StockupStatus.Stopped];

/** `2` is a repair warranty: shipped after a repair within 90 days. */
export const Warranty = { Out: '0', In: '1', Repair: '2' } as const;

export const Flag = { No: '0', Yes: '1' } as const;
export const flag = (is: boolean): '0' | '1' => (is ? Flag.Yes : Flag.No);

export const StorageType = { Goods: '0', Defectives: '1', Scraps: '2' } as const;

/** Where an SN of the archive comes from. */
export const Origin = { Ours: '1', NotOurs: '4' } as const;

/**
 * The warehouses of which everybody knows what lies there, whatever a site says of its own. Rule: storing#warehouses.
 */
export const Warehouse = { Goods: 'FG', Defectives: 'DEF', Scraps: 'SCR' } as const;

/** What a supervisor says to a proposed scrap or no-fault; `0` still waits. */
export const Confirmation = { Waiting: '0', Confirmed: '1', Declined: '2' } as const;

/** Whose fault a scrap is; there is no `2`. Rule: checking#supervisor. */
export const DutySourse = { OwnCompany: '0', Customer: '1', Unclear: '3' } as const;

/** What the review says to a customer who wants to fetch the goods; `0` still waits. */
export const SelfPickupStatus = { Waiting: '0', Agreed: '1', Refused: '2' } as const;

/** The way of shipping of goods that the customer fetches. */
export const SELF_PICKUP = 'PICKUP';

/** How a delivery is submitted. Rule: delivering#station. */
export const SubmitType = { WithSn: '0', WithoutSn: '2' } as const;

/** Where a package stands that nobody announced. Rule: parcels#pending. */
export const PackageStatus = { Pending: '0', Matched: '1', Returned: '2', Closed: '3' } as const;

export const WebSyncStatus = { Queued: '0', Sent: '1', Failed: '2' } as const;

/** What a label was printed for. Rule: labels#journal. */
export const LabelPrintKind = { New: '1', Reprint: '2', Change: '3', Test: '4' } as const;
export type LabelPrintKind = (typeof LabelPrintKind)[keyof typeof LabelPrintKind];

/** What became of a label on its way to a printer. Rule: labels#answers. */
export const LabelPrintResult = {
  Waiting: '0',
  Sending: '1',
  Printed: '2',
  Unknown: '3',
  NotReached: '4',
  Dialog: '5',
} as const;
export type LabelPrintResult = (typeof LabelPrintResult)[keyof typeof LabelPrintResult];

export const UserStatus = { Off: '0', On: '1' } as const;
export const DraftStatus = { Open: '0', Published: '1' } as const;
export const ModuleOrigin = { Shipped: '1', Changed: '2', MadeHere: '3' } as const;
export const ServiceTokenStatus = { Revoked: '0', Valid: '1' } as const;

/** A transfer of stock between sites, and each SN of it. */
export const TransferStatus = { AwaitingDelivery: '0', AwaitingReceipt: '1', Finished: '2', Cancelled: '3' } as const;
export const TransferSnStatus = { ToEnter: '0', Sent: '1', Received: '2', Returned: '3' } as const;

/** What an item of the catalogue is to the stock. Rule: transfers#lines. */
export const ItemType = { Finished: '0', SemiFinished: '1', Materials: '2' } as const;
export type ItemType = (typeof ItemType)[keyof typeof ItemType];

export const ScrapRepairStatus = { Open: '0', Ended: '1', Cancelled: '2' } as const;
/** Several scrap units are combined into fewer working ones. */
export const COMBINE_REPAIR = '1';
/** What became of an SN of a scrap repair. Rule: scrap-repair#units. */
export const ScrapSnRole = { Unused: '0', Main: '1', Auxiliary: '2' } as const;

/** Rule: on-site-repair#end. */
export const SiteRepairStatus = { Open: '0', Ended: '1' } as const;

export const RepairType = { SecondHand: '1', Defective: '2', InventoryScrapped: '3' } as const;

export const OperateStatus = { Normal: 'Normal', Rollbacked: 'Rollbacked' } as const;

/** Package standard quantities of the store, and the one that is chosen at first. Rule: storing#packages. */
export const packageCounts = [20, 40, 60, 80, 100] as const;
export const PACKAGE_COUNT = 20;

export const DEPRECIATION = 'B';

/** Rule: screens#remarks. */
export const REMARK_LENGTH = 500;

/** No station counts more pieces than this; what is more is an SN that was scanned into a count. */
export const PIECES_MAX = 100_000;
