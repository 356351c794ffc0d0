import { useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { useRefresh, useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { statusOf } from '#app/engine/factsOf.tsx';
import { listsOf } from '#app/engine/Lines.tsx';
import type { Detail } from '#app/engine/wire.ts';
import { useUnsaved } from '#app/engine/useUnsaved.ts';
import { useNotices } from '#app/notify.ts';
import { DetailFooter, DetailLayout } from '#app/parts/DetailLayout.tsx';
import type { PageProps } from '#app/parts/page.ts';
import { PageHead } from '#app/parts/PageHead.tsx';
import { ReadFailure } from '#app/parts/ReadFailure.tsx';
import { RefusedNotice } from '#app/parts/RefusedNotice.tsx';
import { RemarkField } from '#app/parts/RemarkField.tsx';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { useRecord } from '#app/parts/useRecord.ts';
import { useSeen } from '#app/parts/useSeen.tsx';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { findTabAddress } from '#app/shell/tabs.ts';
import { useTabName } from '#app/shell/useTabName.ts';
import type { Problem } from '#domain/refusal.ts';
import { RepairFeeStatus } from '#domain/review.ts';
import { moneyText } from '#domain/money.ts';
import { CorrectLines } from './CorrectLines.tsx';
import { resubmitFee } from './contract.ts';
import { validateCorrections, type Correction } from './rules.ts';

type Bill = Detail & { rfbId: string; billStatus: string; currency: string | null; reviewRemark: string | null };

/** A bill that after-sales rejected: its lines are corrected or taken out, and it is handed in again. Rule: money#corrections. */
export default function CorrectPage({ menuNo, id = '' }: PageProps) {
  const translate = useTranslate();
  const { data: bill, error, reload } = useRecord<Bill>('rmaRepairFeeBill', id);
  useTabName(bill?.rfbId);
  const isReading = !bill && error === '';
  const isRejected = bill?.billStatus === RepairFeeStatus.Rejected;
  const head = <PageHead menuNo={menuNo} isReading={isReading} status={bill && statusOf(bill.view, bill)} />;
  if (bill && isRejected) return <Corrections key={bill.id} {...{ menuNo, bill, head, reload }} />;
  return (
    <DetailLayout head={head} isReading={isReading}>
      {error && (
        <ReadFailure
          text={translate('shell.notice.failed', { action: translate('shell.detail.failed') })}
          reason={error}
          onAgain={reload}
        />
      )}
      {bill && <Alert severity="info">{translate('bills.correct.notRejected')}</Alert>}
    </DetailLayout>
  );
}

interface CorrectionsProps {
  menuNo: string;
  bill: Bill;
  head: ReactNode;
  reload: () => void;
}

function Corrections({ menuNo, bill, head, reload }: CorrectionsProps) {
  const translate = useTranslate();
  const navigate = useNavigate();
  const refresh = useRefresh();
  const notices = useNotices();
  const { wordsOf, byField } = useProblemWords();
  const { version, failed, notice } = useSeen('rmaRepairFeeBill', bill, reload);
  const { submit, sending, problem } = useSubmit(resubmitFee, failed);
  const [corrected, setCorrected] = useState<ReadonlyMap<number, Correction>>(new Map());
  const [removed, setRemoved] = useState<ReadonlySet<number>>(new Set());
  const [remark, setRemark] = useState('');
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  useUnsaved(corrected.size > 0 || removed.size > 0 || remark !== '');
  const [lines] = listsOf(bill);

  const correct = (line: Correction) => setCorrected((all) => new Map(all).set(line.id, line));
  const takeOut = (lineId: number, isOut: boolean) =>
    setRemoved((all) => new Set(isOut ? [...all, lineId] : [...all].filter((it) => it !== lineId)));
  const handIn = async () => {
    const input = {
      id: bill.id,
      corrected: [...corrected.values()].filter((it) => !removed.has(it.id)),
      removed: [...removed],
      remark: remark.trim(),
    };
    const found = validateCorrections(input);
    setProblems(found);
    if (found.length > 0) return;
    const answer = await submit({ ...input, version });
    if (!answer) return;
    const amount = moneyText(answer.includingTaxAmount, answer.currency);
    notices.success(translate('bills.correct.done', { count: answer.lineCount, amount }));
    refresh();
    void navigate(findTabAddress(`/${menuNo}`));
  };
  const count = corrected.size + removed.size;
  return (
    <DetailLayout
      head={head}
      footer={
        <DetailFooter label={translate('bills.correct.submit')}>
          <RefusedNotice notice={notice} problem={problem} />
          <Box sx={{ display: 'flex', gap: 2, alignItems: 'flex-start', flexWrap: 'wrap' }}>
            <Box sx={{ flex: '1 1 280px' }}>
              <RemarkField
                required
                minRows={1}
                label={translate('bills.correct.remark')}
                value={remark}
                problem={problems[0] && (byField(problems)['remark'] ?? wordsOf(problems[0]))}
                onChange={(it) => {
                  setRemark(it);
                  setProblems([]);
                }}
              />
            </Box>
            <Button
              variant="contained"
              loading={sending}
              onClick={() => void handIn()}
              sx={{ mt: { sm: 5 }, height: 38, minWidth: 112, flex: { xs: 1, sm: 'none' } }}
            >
              {translate('bills.correct.submit')}
            </Button>
          </Box>
        </DetailFooter>
      }
    >
      {bill.reviewRemark && (
        <Alert severity="warning">{translate('bills.correct.why', { remark: bill.reviewRemark })}</Alert>
      )}
      {lines && (
        <CorrectLines
          view={lines.view}
          rows={lines.rows}
          currency={bill.currency}
          summary={
            count > 0 ? translate('bills.correct.count', { corrected: corrected.size, removed: removed.size }) : ''
          }
          corrected={corrected}
          removed={removed}
          onCorrect={correct}
          onTakeOut={takeOut}
        />
      )}
    </DetailLayout>
  );
}
