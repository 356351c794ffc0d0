import type { PageProps } from '#app/parts/page.ts';
import { send } from '#app/send.ts';
import type { InputOf } from '#domain/call.ts';
import { testAndStore, validateSn } from './contract.ts';
import { RegistrationStation } from './RegistrationStation.tsx';
import { groupByCode, validatePackage } from './rules.ts';
import { useRegistration } from './useRegistration.ts';

/** A package of new parts or goods of the stock is registered for its test. Rule: events#e40. */
export default function TestPackagePage({ menuNo }: PageProps) {
  const registration = useRegistration<InputOf<typeof testAndStore>>({
    menuNo,
    step: 'testAndStore',
    check: (sn) => send(validateSn, { sn }),
    submit: (input, key) => send(testAndStore, input, { key }),
    validate: validatePackage,
    toInput: ({ siteId, remark }, scanned) => ({
      siteId,
      remark,
      dataList: groupByCode(scanned.map((it) => ({ ...it, salesCode: it.item.salesCode }))).map((group) => ({
        ...group[0]?.item,
        itemRequestList: group.map(({ sn, itemObject: { itemObjectId } }) => ({ itemObjectId, sn })),
      })),
    }),
  });
  return <RegistrationStation menuNo={menuNo} step="testAndStore" registration={registration} />;
}
