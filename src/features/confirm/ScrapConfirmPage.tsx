import { useState } from 'react';
import { useTranslate } from 'ra-core';
import { Choice } from '#app/parts/Choice.tsx';
import { useOptions } from '#app/parts/optionLabels.ts';
import type { PageProps } from '#app/parts/page.ts';
import { RemarkField } from '#app/parts/RemarkField.tsx';
import { Confirmation } from '#domain/enums.ts';
import { scrapConfirm } from './contract.ts';
import { Proposal } from './Proposal.tsx';
import { validateScrap, type ScrapWord } from './rules.ts';
import { StatusChoice } from './StatusChoice.tsx';

/** A supervisor judges a proposed scrap: yes with whose fault it is, or no with a reason. Rule: checking#supervisor. */
export default function ScrapConfirmPage(page: PageProps) {
  const translate = useTranslate();
  const duties = useOptions('dutySourse');
  const [word, setWord] = useState<ScrapWord>({
    scrapStatus: Confirmation.Waiting,
    declineScrapRemark: '',
    dutySourse: '',
    dutySourseRemark: '',
  });
  const set = (change: Partial<ScrapWord>) => setWord((it) => ({ ...it, ...change }));
  const { scrapStatus } = word;
  return (
    <Proposal
      {...page}
      module="rmaScrapConfirm"
      title={translate('stations.confirm.scrap.title')}
      call={scrapConfirm}
      wordOf={(it) => trimmed({ ...word, scrapStatus: it })}
      status="scrapStatus"
      chosen={scrapStatus}
      onChoose={(it) => set({ scrapStatus: it })}
      yes={translate('stations.confirm.scrap.yes')}
      no={translate('stations.confirm.scrap.no')}
      rules={validateScrap}
    >
      {(problems) => (
        <>
          <StatusChoice
            kind="scrap"
            value={scrapStatus}
            problem={problems['scrapStatus']}
            onChange={(it) => set({ scrapStatus: it })}
          />
          {scrapStatus === Confirmation.Confirmed && (
            <>
              <Choice
                required
                hasRoom
                label={translate('stations.confirm.scrap.duty')}
                value={word.dutySourse}
                options={duties}
                error={problems['dutySourse']}
                onChange={(it) => set({ dutySourse: it })}
              />
              <RemarkField
                required
                label={translate('stations.confirm.scrap.situation')}
                value={word.dutySourseRemark}
                problem={problems['dutySourseRemark']}
                onChange={(it) => set({ dutySourseRemark: it })}
              />
            </>
          )}
          {scrapStatus === Confirmation.Declined && (
            <RemarkField
              required
              label={translate('stations.confirm.scrap.whyNot')}
              value={word.declineScrapRemark}
              problem={problems['declineScrapRemark']}
              onChange={(it) => set({ declineScrapRemark: it })}
            />
          )}
        </>
      )}
    </Proposal>
  );
}

/** What is sent: only what the chosen status asks for. */
const trimmed = (it: ScrapWord): ScrapWord => {
  const isYes = it.scrapStatus === Confirmation.Confirmed;
  return {
    scrapStatus: it.scrapStatus,
    declineScrapRemark: it.scrapStatus === Confirmation.Declined ? it.declineScrapRemark.trim() : '',
    dutySourse: isYes ? it.dutySourse : '',
    dutySourseRemark: isYes ? it.dutySourseRemark.trim() : '',
  };
};
