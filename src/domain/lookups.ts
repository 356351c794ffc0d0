import { Type } from 'typebox';
import { lookup } from '#domain/call.ts';
import { IssueCategory } from '#domain/issueCode.ts';
import { Code, Component, IssueCodeChoice, Nullable, OptionalCode, Sn } from '#domain/wire.ts';

/** What several screens ask about base data. */
const vocabulary = {
  right: 'signedIn',
  why: 'Words in which every screen speaks: codes and names that are the same for all sites, nothing of a unit or a customer',
} as const;

const enumeration = (module: string) =>
  lookup({
    path: `/api/${module}/all.json`,
    ...vocabulary,
    input: Type.Object({}),
    data: Type.Object({ items: Type.Array(Type.Object({ value: Type.String(), name: Type.String() })) }),
  });
export const allPartsTypes = enumeration('ubsEnumPartsType');
export const allRepairMethods = enumeration('rmaEnumRepairMethod');
export const allComponentTypes = enumeration('ubsEnumComponentType');
export const allDepreciations = enumeration('rmaEnumDepreciation');

/** The issue codes of a category. */
export const loadIssueCodeList = lookup({
  path: '/api/ubsIssueCode/loadIssueCodeList.json',
  ...vocabulary,
  input: Type.Object({ billType: Type.Optional(Code) }),
  data: Type.Object({ issueCodeList: Type.Array(IssueCodeChoice) }),
});

/** The bills whose pages ask for issue codes, each with its own category. Rule: checking#code-lists. */
export const issueCodeBills: readonly (readonly [module: string, category: IssueCategory | undefined])[] = [
  ['ubsIssueCode', undefined],
  ['rmaReceiveBill', IssueCategory.Receipt],
  ['rmaCheckBill', IssueCategory.Check],
  ['rmaRepairBill', IssueCategory.Repair],
  ['rmaBurninBill', IssueCategory.Aging],
  ['rmaExamineBill', IssueCategory.Qc],
  ['rmaStoreBill', IssueCategory.Store],
];

/**
 * The same list of each bill, which both methods answer; without a category it is that of the bill.
 * Rule: checking#code-lists.
 */
export const issueCodesOfBill = (module: string, method: 'GET' | 'POST') =>
  lookup({
    method,
    path: `/api/${module}/loadIssueCodeList.json`,
    ...vocabulary,
    input: Type.Object({ billType: OptionalCode }),
    data: loadIssueCodeList.data,
  });

/** One issue code by what was typed or scanned; `items` is empty when the category has none such. */
export const queryByCode = lookup({
  path: '/api/ubsIssueCode/queryByCode.json',
  ...vocabulary,
  input: Type.Object({ code: Code, billType: Type.Optional(Code) }),
  data: Type.Object({ items: Type.Array(IssueCodeChoice) }),
});

/** The rules by which the user's site reads the SN on a label, in the order in which they are tried. */
export const labelRulesOfSite = lookup({
  path: '/api/ubsLabelRule/ofSite.json',
  right: 'signedIn',
  why: 'How the SN on a label is read at the own site: every station needs it for each scan, and it tells of no unit',
  input: Type.Object({}),
  data: Type.Object({
    items: Type.Array(
      Type.Object({
        id: Type.Integer(),
        name: Type.String(),
        kind: Type.String(),
        template: Nullable(Type.String()),
        snLength: Nullable(Type.Integer()),
      }),
    ),
  }),
});

/** For the repair bench: bills of material whose description has these words; at most 50. */
export const queryBomByName = lookup({
  path: '/api/ubsItem/queryBomByName.json',
  right: 'rmaRepairBill:repair',
  input: Type.Object({ bomName: Type.Optional(Type.String({ maxLength: 100 })) }),
  data: Type.Object({ items: Type.Array(Type.Object({ bomid: Type.String(), bomdescription: Type.String() })) }),
});

/** The slots of a bill of material. */
export const queryBomItemByBomId = lookup({
  path: '/api/ubsItem/queryBomItemByBomId.json',
  right: 'rmaRepairBill:repair',
  input: Type.Object({ bomId: Code }),
  data: Type.Object({
    items: Type.Array(Type.Object({ location: Type.String(), productName: Nullable(Type.String()) })),
  }),
});

/** Catalogue items whose sales code begins so; at most 100. Rule: bills#lookups. */
export const queryBySalesCode = lookup({
  path: '/api/ubsItem/queryBySalesCode.json',
  ...vocabulary,
  input: Type.Object({ salesCode: Code }),
  data: Type.Object({
    items: Type.Array(
      Type.Object({
        itemId: Nullable(Type.Integer()),
        salesCode: Type.String(),
        alias: Nullable(Type.String()),
        name: Type.String(),
        type: Type.String(),
        deviceType: Type.String(),
        bomId: Nullable(Type.String()),
        boardCount: Nullable(Type.Integer()),
      }),
    ),
  }),
});

/** A part of a device, with its kind in the user's language and what it is. */
const BoundPart = Type.Object({ ...Component.properties, label: Type.String(), name: Nullable(Type.String()) });

/** The parts that are bound to a device now; one of another site is said to be that. Rule: parts#queries. */
export const queryComponentSnByAssemblySn = lookup({
  path: '/api/ubsAssembly/queryComponentSnByAssemblySn.json',
  right: 'ubsAssembly:list',
  input: Type.Object({ assemblySn: Sn }),
  data: Type.Object({ items: Type.Array(BoundPart) }),
});

/** The same, asked by the SN of the device. Rule: parts#queries. */
export const queryComponentBySn = lookup({
  path: '/api/ubsAssembly/queryComponentBySn.json',
  right: 'ubsAssembly:list',
  input: Type.Object({ sn: Sn }),
  data: queryComponentSnByAssemblySn.data,
});

/**
 * What devices of the user's sites were made of whenever that changed, the newest first: all times of a device, and of a
 * part those in which it was in one. Board and QR code of the same place belong together. Rule: parts#queries.
 */
export const componentQuery = lookup({
  path: '/api/ubsAssembly/componentQuery.json',
  right: 'ubsAssembly:list',
  input: Type.Object({ componentSN: Type.Optional(Sn) }),
  data: Type.Object({
    items: Type.Array(
      Type.Object({
        assemblySn: Type.String(),
        powerSn: Nullable(Type.String()),
        controlSn: Nullable(Type.String()),
        hashBoardList: Type.Array(Type.String(), { maxItems: 8 }),
        qrCodeNumList: Type.Array(Nullable(Type.String()), { maxItems: 8 }),
        bindingTime: Nullable(Type.Number()),
        siteCode: Nullable(Type.String()),
        createBy: Nullable(Type.String()),
      }),
    ),
  }),
});

const Sites = Type.Object({
  items: Type.Array(Type.Object({ siteId: Type.String(), siteName: Type.String(), country: Nullable(Type.String()) })),
  itemTotal: Type.Integer(),
});

/** The sites of the user. */
export const loadUserSites = lookup({
  path: '/api/ubsSite/pagerList.json',
  right: 'signedIn',
  why: 'Names of the sites that the user works for',
  input: Type.Object({}),
  data: Sites,
});

/** All sites. */
export const allSites = lookup({
  path: '/api/ubsSite/pagerListAll.json',
  right: 'ubsSite:list',
  input: Type.Object({}),
  data: Sites,
});

/** The provinces or states of a country. Rule: parcels#registering. */
export const queryStateByCountryId = lookup({
  path: '/api/ubsState/queryStateByCountryId.json',
  right: 'ubsState:list',
  input: Type.Object({ countryId: Code }),
  data: Type.Object({ items: Type.Array(Type.Object({ stateId: Type.String(), name: Type.String() })) }),
});

/** The cities of a province or state. Rule: parcels#registering. */
export const queryCityByStateId = lookup({
  path: '/api/ubsCity/queryCityByStateId.json',
  right: 'ubsCity:list',
  input: Type.Object({ stateId: Code }),
  data: Type.Object({ items: Type.Array(Type.Object({ cityId: Type.String(), name: Type.String() })) }),
});
