import { useState } from 'react';
import { useTranslate } from 'ra-core';
import type { PageProps } from '#app/parts/page.ts';
import { RemarkField } from '#app/parts/RemarkField.tsx';
import { Confirmation } from '#domain/enums.ts';
import { nofaultConfirm } from './contract.ts';
import { Proposal } from './Proposal.tsx';
import { validateNofault, type NofaultWord } from './rules.ts';
import { StatusChoice } from './StatusChoice.tsx';

/** A supervisor judges a proposed no-fault: yes, or no with a remark. Rule: checking#supervisor. */
export default function NofaultConfirmPage(page: PageProps) {
  const translate = useTranslate();
  const [word, setWord] = useState<NofaultWord>({
    nofaultConfirmStatus: Confirmation.Waiting,
    nofaultConfirmRemark: '',
  });
  const set = (change: Partial<NofaultWord>) => setWord((it) => ({ ...it, ...change }));
  return (
    <Proposal
      {...page}
      module="rmaNofaultConfirm"
      title={translate('stations.confirm.nofault.title')}
      call={nofaultConfirm}
      wordOf={(nofaultConfirmStatus) => ({
        nofaultConfirmStatus,
        nofaultConfirmRemark: word.nofaultConfirmRemark.trim(),
      })}
      status="nofaultConfirmStatus"
      chosen={word.nofaultConfirmStatus}
      onChoose={(it) => set({ nofaultConfirmStatus: it })}
      yes={translate('stations.confirm.nofault.yes')}
      no={translate('stations.confirm.nofault.no')}
      rules={validateNofault}
    >
      {(problems) => (
        <>
          <StatusChoice
            kind="nofault"
            value={word.nofaultConfirmStatus}
            problem={problems['nofaultConfirmStatus']}
            onChange={(it) => set({ nofaultConfirmStatus: it })}
          />
          <RemarkField
            required={word.nofaultConfirmStatus === Confirmation.Declined}
            label={translate('stations.confirm.nofault.remark')}
            value={word.nofaultConfirmRemark}
            problem={problems['nofaultConfirmRemark']}
            onChange={(it) => set({ nofaultConfirmRemark: it })}
          />
        </>
      )}
    </Proposal>
  );
}
