import { Type } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import { Code, Nullable, OptionalCode, OptionalText, Remark, Urls, Warning } from '#domain/wire.ts';

/** A parcel that nobody announced is registered where it arrives. Rule: parcels#registering. */
export const createUnhandledPackageBill = submit({
  path: '/api/rmaUnhandledPackageBill/createUnhandledPackageBill.json',
  right: 'rmaUnhandledPackageBill:createUnhandledPackage',
  input: Type.Object({
    languageType: OptionalCode,
    receiveShipId: OptionalCode,
    receiveShipNo: OptionalText,
    repairableCount: Type.Optional(Nullable(Type.Number())),
    userName: OptionalText,
    phone: OptionalText,
    mobile: OptionalText,
    /** The e-mail. */
    fax: OptionalText,
    countryCode: OptionalCode,
    stateCode: OptionalCode,
    stateName: OptionalText,
    cityName: OptionalText,
    street: OptionalText,
    zipcode: OptionalText,
    repairInfo: Remark,
    urlName: Urls,
    /** Of somebody who works for several sites: at which of them the parcel is. */
    siteId: OptionalCode,
  }),
  data: Type.Object({ id: Type.Integer(), upbId: Type.String(), warning: Warning }),
});

/** Whether a parcel's number is on a bill already; refused where it is on an open pending package. Rule: parcels#registering. */
export const queryByReceiveShipNo = lookup({
  path: '/api/rmaMaintainBill/queryByReceiveShipNo.json',
  right: 'rmaMaintainBill:list',
  input: Type.Object({ receiveShipNo: Code }),
  data: Type.Object({
    mtbId: Nullable(Type.String()),
    billStatus: Nullable(Type.String()),
    userName: Nullable(Type.String()),
    warning: Warning,
  }),
});

/**
 * The bills that a package may belong to: by what the package says of itself, or by a bill, a waybill, a customer or an
 * SN that is typed; twenty at most. Rule: parcels#matching.
 */
export const findBills = lookup({
  path: '/api/rmaUnhandledPackageBill/findBills.json',
  right: 'rmaUnhandledPackageBill:editInSiteStatus',
  input: Type.Object({ id: Code, search: OptionalText }),
  data: Type.Object({
    items: Type.Array(
      Type.Object({
        mtbId: Type.String(),
        /** Why it may be the one. */
        match: Type.Union([Type.Literal('shipNo'), Type.Literal('bill'), Type.Literal('sn'), Type.Literal('customer')]),
        receiveShipNo: Nullable(Type.String()),
        userName: Nullable(Type.String()),
        billStatus: Nullable(Type.String()),
      }),
    ),
  }),
});

/** What became of a parcel that nobody announced. Rule: parcels#pending. */
export const editInSiteStatus = submit({
  path: '/api/rmaUnhandledPackageBill/editInSiteStatus.json',
  right: 'rmaUnhandledPackageBill:editInSiteStatus',
  input: Type.Object({ id: OptionalCode, status: OptionalCode, mtbId: OptionalCode }),
  data: Type.Object({
    id: Type.Integer(),
    status: Type.String(),
    mtbId: Type.Union([Type.Null(), Type.String()]),
  }),
});
