import type { PageProps } from '#app/parts/page.ts';
import { TestStation } from '#app/parts/TestStation.tsx';
import { useBaseData } from '#app/parts/useLookup.ts';
import { send } from '#app/send.ts';
import { checkExamination, loadIssueCodeList, submitExamineBill } from './contract.ts';

/** QC: the last look at a unit before the shelf. Rule: testing#stations. */
export default function QcPage({ menuNo }: PageProps) {
  const codes = useBaseData(loadIssueCodeList, {});
  return (
    <TestStation
      menuNo={menuNo}
      name="qc"
      codes={codes.data?.issueCodeList}
      isLoading={codes.isLoading}
      pictures={0}
      check={(sn, { icdId }) => send(checkExamination, { sn, icdId })}
      submit={(lines, key) =>
        send(
          submitExamineBill,
          { rmaExamineBillLineList: lines.map(({ sn, salesCode, icdId }) => ({ sn, salesCode, icdId })) },
          { key },
        )
      }
    />
  );
}
