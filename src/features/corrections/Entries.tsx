import { useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { useRefresh, useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { Detail } from '#app/engine/wire.ts';
import { useUnsaved } from '#app/engine/useUnsaved.ts';
import { useNotices, useReasonOf } from '#app/notify.ts';
import { DetailFooter, DetailLayout } from '#app/parts/DetailLayout.tsx';
import { FactGrid } from '#app/parts/Facts.tsx';
import { LookAgain } from '#app/parts/LookAgain.tsx';
import { RefusedNotice } from '#app/parts/RefusedNotice.tsx';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { useSeen } from '#app/parts/useSeen.tsx';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { isRefusal } from '#app/send.ts';
import type { DataOf } from '#domain/call.ts';
import { digitsOf, moneyText, sumMoney } from '#domain/money.ts';
import type { Problem } from '#domain/refusal.ts';
import { EntryTable } from './EntryTable.tsx';
import type { correct, leftWithout, resubmitCorrection } from './contract.ts';
import { toEntries, validateEntries, type Draft, type SettledLine } from './rules.ts';

type Correcting = ReturnType<typeof correct> | typeof resubmitCorrection;

interface Props {
  head: ReactNode;
  /** Whose version is seen, and its module. */
  module: string;
  bill: Detail;
  /** Of its lines, else of the bill. */
  currency: string | null;
  /** What goes by the versions that `seen` says. */
  call: Correcting;
  seen: (version: number) => { version: number; settledVersion?: number };
  /** The settled bill, and what corrects it already. */
  left: DataOf<typeof leftWithout>;
  label: string;
  lines: readonly SettledLine[];
  count: number;
  start?: ReadonlyMap<number, Draft>;
  /** What its reader has to know first. */
  told?: ReactNode;
  reload: () => void;
  onSought?: (text: string) => void;
}

/** What the lines of a settled bill are corrected by, each with its reason, handed in together. Rule: money#correction-bills. */
export function Entries({
  head,
  module,
  bill,
  currency,
  call,
  seen,
  left,
  label,
  lines,
  count,
  start,
  told,
  reload,
  onSought,
}: Props) {
  const translate = useTranslate();
  const navigate = useNavigate();
  const refresh = useRefresh();
  const notices = useNotices();
  const { wordsOf, byField } = useProblemWords();
  const { version, failed, notice } = useSeen(module, bill, reload);
  const reasonOf = useReasonOf();
  // Which lines were corrected since, and by what.
  const [since, setSince] = useState('');
  const { submit, sending, problem } = useSubmit<Correcting>(call, (error) => {
    if (!isRefusal(error, 'correctedSince')) return failed(error);
    setSince(reasonOf(error));
    return true;
  });
  const [first] = useState<ReadonlyMap<number, Draft>>(() => start ?? new Map<number, Draft>());
  const [drafts, setDrafts] = useState(first);
  // A line that was found and written on is known after another search as well.
  const [leftOf, setLeftOf] = useState<ReadonlyMap<number, string>>(new Map<number, string>());
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const entries = toEntries(drafts);
  useUnsaved(drafts !== first && entries.length > 0);

  const words = byField(problems);
  const problemOf = (lineId: number, part: 'amount' | 'reason') => {
    const at = entries.findIndex((it) => it.lineId === lineId);
    return at < 0 ? undefined : words[`lines.${at}.${part}`];
  };
  // What is wrong with a line on another page is said here alone.
  const [general] = problems;
  const handIn = async () => {
    const found = validateEntries(entries, (id) => leftIn(lines, id) ?? leftOf.get(id), currency);
    setProblems(found);
    if (found.length > 0) return;
    const answer = await submit({ id: bill.id, ...seen(version), lines: entries });
    if (!answer) return;
    // A page that stays open, or is come back to, begins anew.
    setDrafts(first);
    reload();
    const amount = moneyText(answer.includingTaxAmount, currency);
    notices.success(translate('bills.corrections.done', { id: answer.crbId, amount }));
    refresh();
    void navigate(`/rmaCorrectionBillList/detail/${answer.id}`);
  };
  const look = () => {
    setSince('');
    reload();
  };
  const sum = sumMoney(
    entries.filter((it) => Number.isFinite(Number(it.amount))).map((it) => it.amount),
    digitsOf(currency),
  );
  return (
    <DetailLayout
      head={head}
      footer={
        <DetailFooter label={translate('bills.corrections.submit')}>
          <RefusedNotice
            notice={since ? <LookAgain text={since} onLook={look} /> : notice}
            problem={problem || (general ? wordsOf(general) : '')}
          />
          <Box sx={{ display: 'flex', gap: 4, alignItems: 'center', flexWrap: 'wrap' }}>
            <Box role="status" sx={{ flex: '1 1 240px', fontSize: 13 }}>
              {entries.length === 0
                ? translate('bills.corrections.none')
                : translate('bills.corrections.sum', { count: entries.length, amount: moneyText(sum, currency) })}
            </Box>
            <Button
              variant="contained"
              loading={sending}
              onClick={() => void handIn()}
              sx={{ height: 38, minWidth: 112, flex: { xs: 1, sm: 'none' } }}
            >
              {translate('bills.corrections.submit')}
            </Button>
          </Box>
        </DetailFooter>
      }
    >
      {told}
      <Figures {...{ left, currency, sum }} />
      <EntryTable
        label={label}
        lines={lines}
        count={count}
        currency={currency}
        drafts={drafts}
        problemOf={problemOf}
        onChange={(lineId, draft) => {
          setDrafts((all) => new Map(all).set(lineId, draft));
          setLeftOf((all) => new Map(all).set(lineId, leftIn(lines, lineId) ?? all.get(lineId) ?? '0'));
          setProblems([]);
        }}
        {...(onSought && { onSought })}
      />
    </DetailLayout>
  );
}

interface FiguresProps {
  left: Props['left'];
  currency: string | null;
  /** Of what is entered. */
  sum: string;
}

/** What is corrected, and what it comes to with what is entered. Rule: money#correction-bills. */
function Figures({ left: { settled, others }, currency, sum }: FiguresProps) {
  const translate = useTranslate();
  const word = (name: string) => translate(`bills.corrections.${name}`);
  const amounts = others.map((it) => it.amount);
  const money = (it: readonly string[]) => moneyText(sumMoney(it, digitsOf(currency)), currency);
  return (
    <FactGrid
      isFramed
      hidesEmpty
      facts={[
        { label: word('bill'), value: settled.no, code: true },
        { label: word('supplier'), value: settled.supplierName },
        { label: word('month'), value: settled.recPeriod },
        { label: word('total'), value: money([settled.total]) },
        { label: word('others'), value: amounts.length > 0 ? money(amounts) : '' },
        { label: word('after'), value: money([settled.total, ...amounts, sum]) },
      ]}
    />
  );
}

const leftIn = (lines: readonly SettledLine[], lineId: number) => lines.find((it) => it.lineId === lineId)?.left;
