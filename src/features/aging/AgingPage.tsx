import type { PageProps } from '#app/parts/page.ts';
import { TestStation } from '#app/parts/TestStation.tsx';
import { useBaseData } from '#app/parts/useLookup.ts';
import { send } from '#app/send.ts';
import { imageLimits } from '#domain/images.ts';
import { checkBurnin, loadIssueCodeList, submitBurninBill } from './contract.ts';

/** Aging: units that ran long enough, with what came of it. Rule: testing#stations. */
export default function AgingPage({ menuNo }: PageProps) {
  const codes = useBaseData(loadIssueCodeList, {});
  return (
    <TestStation
      menuNo={menuNo}
      name="aging"
      codes={codes.data?.issueCodeList}
      isLoading={codes.isLoading}
      pictures={imageLimits.aging}
      check={(sn, { icdId, urls }) => send(checkBurnin, { sn, icdId, burninUrlList: [...urls] })}
      submit={(lines, key) =>
        send(
          submitBurninBill,
          { rmaBurninBillLineList: lines.map(({ urls, ...it }) => ({ ...it, burninUrlList: [...urls] })) },
          { key },
        )
      }
    />
  );
}
