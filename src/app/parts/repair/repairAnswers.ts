import { allPartsTypes, allRepairMethods, loadIssueCodeList } from '#domain/lookups.ts';

const repairCode = (codeId: number, code: string) => ({
  codeId,
  code,
  name: `Name of ${code}`,
  billType: '',
  disposition: null,
  passFlag: null,
  imageRequired: null,
});

/** What the server answers to the lookups of a record, for the tests of the page. */
export const repairAnswers = {
  [allPartsTypes.path]: {
    items: [
      { value: '7', name: 'Board 1' },
      { value: '15', name: 'Nothing' },
    ],
  },
  [allRepairMethods.path]: {
    items: [
      { value: '1', name: 'Fly line' },
      { value: '2', name: 'Replace' },
      { value: '3', name: 'Change slot' },
    ],
  },
  [loadIssueCodeList.path]: { issueCodeList: [repairCode(4, 'C01'), repairCode(5, 'C02')] },
  '/api/ubsItem/queryBomByName.json': { items: [{ bomid: 'BOM7', bomdescription: 'Hash board' }] },
  '/api/ubsItem/queryBomItemByBomId.json': { items: [{ location: 'U1', productName: 'Chip BM1' }] },
};
