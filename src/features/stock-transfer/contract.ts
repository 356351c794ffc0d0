import { Type } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import { Code, Nullable, OptionalCode, OptionalText, Remark, RowId, SeenVersion, Sn } from '#domain/wire.ts';
import { LINES_MAX, TRANSFER_MAX } from './rules.ts';

const BILLS = '/api/rmaStockTransferBill';

/** The sites between which stock may go. Rule: transfers#initiating. */
export const getSiteList = lookup({
  path: `${BILLS}/getSiteList.json`,
  right: 'rmaStockTransferBill:initiate',
  input: Type.Object({}),
  data: Type.Object({
    ubsSiteList: Type.Array(Type.Object({ btmId: Type.Integer(), siteId: Type.String(), name: Type.String() })),
  }),
});

/** The sales codes that begin so. Rule: transfers#initiating. */
export const getSaleCodeList = lookup({
  path: `${BILLS}/getSaleCodeList.json`,
  right: 'rmaStockTransferBill:initiate',
  input: Type.Object({ saleCode: OptionalCode }),
  data: Type.Object({
    saleCodeList: Type.Array(Type.Object({ salesCode: Type.String(), name: Type.String(), itemType: Type.String() })),
  }),
});

/** A transfer is made: what shall go from one site to another. Rule: transfers#initiating. */
export const initiate = submit({
  path: `${BILLS}/initiate.json`,
  right: 'rmaStockTransferBill:initiate',
  input: Type.Object({
    deliverSiteId: OptionalCode,
    receiveSiteId: OptionalCode,
    remark: Remark,
    rmaStockTransferLineRequestList: Type.Optional(
      Type.Array(
        Type.Object({
          salesCode: OptionalCode,
          storageType: OptionalCode,
          itemType: OptionalCode,
          storageTypeName: OptionalText,
          itemTypeName: OptionalText,
          count: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 1_000_000 }))),
          remark: Remark,
        }),
        { maxItems: LINES_MAX },
      ),
    ),
  }),
  data: Type.Object({ id: Type.Integer(), sktbId: Type.String(), count: Type.Integer() }),
});

/** A transfer by its number, with its lines and their SNs, to work on. Rule: transfers#stations. */
export const loadTransfer = lookup({
  path: `${BILLS}/loadTransfer.json`,
  right: 'rmaStockTransferBill:list',
  input: Type.Object({ sktbId: Code }),
  data: Type.Object({
    id: Type.Integer(),
    sktbId: Type.String(),
    billStatus: Type.String(),
    deliverSiteId: Type.String(),
    deliverSiteName: Type.String(),
    receiveSiteId: Type.String(),
    receiveSiteName: Type.String(),
    count: Type.Integer(),
    remark: Nullable(Type.String()),
    rmaStockTransferBillLineList: Type.Array(
      Type.Object({
        sktblId: Type.String(),
        salesCode: Type.String(),
        name: Nullable(Type.String()),
        itemType: Type.String(),
        storageType: Type.String(),
        count: Type.Integer(),
        stockTransferBillLineItemList: Type.Array(
          Type.Object({ id: Type.Integer(), sn: Nullable(Type.String()), snStatus: Type.String() }),
        ),
      }),
    ),
  }),
});

/** As many codes as a transfer has lines, with a bar between them. */
const Codes = Type.Optional(Nullable(Type.String({ maxLength: LINES_MAX * 65 })));

/**
 * A unit of the stock that a transfer may take; sales code, item type and storage type are those of a line, or of
 * several lines in the same order, joined by `|`. It stores nothing. Rule: transfers#delivering.
 */
export const querySnInfo = lookup({
  path: `${BILLS}/querySnInfo.json`,
  right: 'rmaStockTransferBill:deliverAccept',
  input: Type.Object({ sn: Sn, siteId: Code, salesCode: Codes, itemType: Codes, storageType: Codes }),
  data: Type.Object({
    sn: Type.String(),
    salesCode: Type.String(),
    name: Type.String(),
    itemType: Type.String(),
    storageType: Type.String(),
    subinventoryCode: Nullable(Type.String()),
    siteId: Type.String(),
  }),
});

/** What is on the lines leaves its site, whole or not at all. Rule: transfers#delivering. */
export const deliverAccept = submit({
  path: `${BILLS}/deliverAccept.json`,
  right: 'rmaStockTransferBill:deliverAccept',
  input: Type.Object({
    sktbId: OptionalCode,
    deliverSiteId: OptionalCode,
    lineList: Type.Optional(
      Type.Array(
        Type.Object({ sktblId: OptionalCode, snList: Type.Optional(Type.Array(Sn, { maxItems: TRANSFER_MAX })) }),
        {
          maxItems: LINES_MAX,
        },
      ),
    ),
  }),
  data: Type.Object({ sktbId: Type.String(), billStatus: Type.String(), sentCount: Type.Integer() }),
});

/** Whether an SN is still to be signed for on this transfer; stores nothing. Rule: transfers#receiving. */
export const attemptReceiverAccept = lookup({
  method: 'POST',
  path: `${BILLS}/attemptReceiverAccept.json`,
  right: 'rmaStockTransferBill:receiverAccept',
  input: Type.Object({ sn: Sn, sktbId: Code }),
  data: Type.Object({
    id: Type.Integer(),
    sn: Type.String(),
    sktblId: Type.String(),
    salesCode: Type.String(),
    name: Type.String(),
  }),
});

/** What has arrived is signed for, all of it or a part. Rule: transfers#receiving. */
export const receiverAccept = submit({
  path: `${BILLS}/receiverAccept.json`,
  right: 'rmaStockTransferBill:receiverAccept',
  input: Type.Object({
    sktbId: OptionalCode,
    receiveSiteId: OptionalCode,
    idList: Type.Optional(Type.Array(RowId, { maxItems: 2 * TRANSFER_MAX })),
  }),
  data: Type.Object({
    sktbId: Type.String(),
    billStatus: Type.String(),
    receivedCount: Type.Integer(),
    /** How many are still to be signed for. */
    remainCount: Type.Integer(),
  }),
});

/** A transfer of which nothing has left is given up. Rule: transfers#cancelling. */
export const cancelTransfer = submit({
  path: `${BILLS}/cancelTransfer.json`,
  right: 'rmaStockTransferBill:cancelTransfer',
  input: Type.Object({ id: OptionalCode, version: SeenVersion }),
  data: Type.Object({ id: Type.Integer(), sktbId: Type.String(), billStatus: Type.String() }),
});

/** What never arrived is stock of the shipping site again. Rule: transfers#returning. */
export const returnTransfer = submit({
  path: `${BILLS}/returnTransfer.json`,
  right: 'rmaStockTransferBill:returnTransfer',
  input: Type.Object({ id: OptionalCode, version: SeenVersion }),
  data: Type.Object({
    id: Type.Integer(),
    sktbId: Type.String(),
    billStatus: Type.String(),
    returnedCount: Type.Integer(),
  }),
});
