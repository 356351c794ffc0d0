import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslate } from 'ra-core';
import { isWithoutVerdict } from '#app/parts/scan/answers.ts';
import { useBillByNo } from '#app/parts/scan/useBillByNo.ts';
import { useQueryParameter } from '#app/parts/scan/useScanFromAddress.ts';
import { findVisible } from '#app/parts/visibleElements.ts';
import { send } from '#app/send.ts';
import { useLanguage, useUser } from '#app/session.ts';
import { queryByShipNo } from './contract.ts';
import type { Bill } from './receiveLines.tsx';

/** The bill that is received on, by the number of its parcel, typed or in the address; both outlive a reload. */
export function useReceipt() {
  const translate = useTranslate();
  const extras = useReceiptExtras();
  const [warning, setWarning] = useState('');
  const receipt = useBillByNo<Bill>('receive-setting', {
    loadFirst: translate('stations.shipNoMsg'),
    fetchBill: (receiveShipNo) => send(queryByShipNo, { receiveShipNo, ...extras }),
    onLoaded: (loaded, isQuiet) => {
      if (!isQuiet) setWarning(loaded.warning ?? '');
      return '';
    },
    // A bill that can't be reached now is worked on as it was; its scans are kept.
    onFailed: (error, { isQuiet }, replaceBill) => {
      if (!isQuiet && !isWithoutVerdict(error)) replaceBill(undefined);
    },
  });
  const isNamed = useQueryParameter('shipNo', (no) => {
    void receipt.load(no);
    // As after the number was entered: what is scanned next is an SN.
    findVisible<HTMLInputElement>('input[data-scan=field]')?.focus();
  });
  const resume = useEffectEvent(() => {
    if (!isNamed && receipt.isLeft()) receipt.again();
  });
  // Once, when what is kept has arrived, unless a bill was asked for meanwhile, by hand or by the address.
  useEffect(() => resume(), [receipt.isRead]);

  return {
    ...receipt,
    mtbId: receipt.bill?.mtbId ?? '',
    /** What to look out for on this bill, such as a parcel that nobody signed for. */
    warning,
    extras,
  };
}

/** What every receipt call says besides; the server goes by the session. Rule: receiving#station. */
function useReceiptExtras() {
  const lang = useLanguage();
  const user = useUser();
  return { lang, orgId: user?.orgId ?? '', siteId: user?.siteId ?? '', userId: user?.userId ?? '' };
}
