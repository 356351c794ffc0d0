import { useState, type ReactNode } from 'react';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useRefresh, useTranslate } from 'ra-core';
import { useNavigate } from 'react-router-dom';
import type { Call, InputOf } from '#domain/call.ts';
import { Confirmation } from '#domain/enums.ts';
import { splitUrls } from '#domain/images.ts';
import type { Problem } from '#domain/refusal.ts';
import type { Column, Detail, Row } from '#app/engine/wire.ts';
import { useNotices } from '#app/notify.ts';
import { Moment } from '#app/parts/cells.tsx';
import { FactGrid, Panel } from '#app/parts/Facts.tsx';
import { FormFrame } from '#app/parts/FormFrame.tsx';
import { LineTable } from '#app/parts/LineTable.tsx';
import type { PageProps } from '#app/parts/page.ts';
import { Pictures } from '#app/parts/Pictures.tsx';
import { SnLink } from '#app/parts/SnLink.tsx';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { useRecord } from '#app/parts/useRecord.ts';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { findTabAddress } from '#app/shell/tabs.ts';
import { useTabName } from '#app/shell/useTabName.ts';

type CheckBill = Detail & {
  ckbId: string;
  mtbId: string | null;
  createTime: number;
  userId: string;
  checkUrls: string | null;
  agentAnswer: string | null;
  rmaCheckBillLineList: Row[];
};

interface Props<C extends Call, Word> extends PageProps {
  module: 'rmaScrapConfirm' | 'rmaNofaultConfirm';
  title: string;
  call: C;
  /** The word as it stands in the form, and the field of it that says yes or no. */
  word: Word;
  status: keyof Word & string;
  rules: (word: Word) => Problem[];
  /** The form, told what is wrong with each of its fields. */
  children: (problems: Record<string, string>) => ReactNode;
}

/**
 * What a check proposed, with all that it was judged by, and beside it the form of a supervisor's word.
 * Rule: checking#supervisor.
 */
export function Proposal<C extends Call, Word extends object>({
  menuNo,
  id = '',
  module,
  title,
  call,
  word,
  status,
  rules,
  children,
}: Props<C, Word>) {
  const translate = useTranslate();
  const navigate = useNavigate();
  const refresh = useRefresh();
  const notices = useNotices();
  const { byField } = useProblemWords();
  const { data: line, error: lineError } = useRecord<Row>(module, id);
  const { data: bill, error: billError } = useRecord<CheckBill>('rmaCheckBill', String(line?.['ckbId'] ?? ''));
  const { submit, sending, problem } = useSubmit(call);
  const [asked, setAsked] = useState(false);
  const sn = line ? String(line['sn']) : undefined;
  useTabName(sn);
  const waits = line?.[status] === Confirmation.Waiting;
  const problems = rules(word);

  const press = async () => {
    if (!bill || !sn || !waits || sending) return;
    setAsked(true);
    if (problems.length > 0) return;
    const { mtbId, ckbId } = bill;
    const input = { ...word, mtbId, ckbId, sn } as InputOf<C>;
    if (!(await submit(input))) return;
    notices.success(translate('stations.confirm.done', { sn }));
    refresh();
    void navigate(findTabAddress(`/${menuNo}`));
  };
  const primary = {
    label: translate('stations.confirm.do'),
    press: () => void press(),
    disabled: !bill || !waits || sending,
  };
  return (
    <FormFrame
      wide
      menuNo={menuNo}
      title={title}
      problem={problem || lineError || billError}
      primary={primary}
      aside={
        bill && (
          <Panel title={title}>
            {waits ? (
              <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3, pt: 2 }}>
                {children(asked ? byField(problems) : {})}
              </Box>
            ) : (
              <Alert severity="info">{translate('stations.confirm.before')}</Alert>
            )}
          </Panel>
        )
      }
    >
      {bill && sn && <Evidence bill={bill} sn={sn} />}
    </FormFrame>
  );
}

function Evidence({ bill, sn }: { bill: CheckBill; sn: string }) {
  const translate = useTranslate();
  const columns = useColumns();
  const urls = splitUrls(bill.checkUrls);
  return (
    <>
      <Panel title={translate('stations.confirm.check')}>
        <Box sx={{ mb: 3, fontSize: 22, fontWeight: 600 }}>
          <SnLink sn={sn} />
        </Box>
        <FactGrid
          facts={[
            { label: translate('stations.field.mtbId'), value: bill.mtbId, code: true },
            { label: translate('stations.confirm.ckbId'), value: bill.ckbId, code: true },
            { label: translate('stations.confirm.checkTime'), value: <Moment at={bill.createTime} /> },
            {
              label: translate('stations.confirm.operator'),
              value: bill.view.labels?.['userId']?.[bill.userId] ?? bill.userId,
            },
          ]}
        />
      </Panel>
      <Panel title={translate('stations.confirm.pictures')}>
        {urls.length === 0 ? translate('stations.confirm.noPictures') : <Pictures urls={urls} />}
      </Panel>
      <Panel title={translate('stations.confirm.answer')}>
        <Box
          sx={{
            whiteSpace: 'pre-wrap',
            overflowWrap: 'anywhere',
            color: bill.agentAnswer ? undefined : 'text.secondary',
          }}
        >
          {bill.agentAnswer || translate('stations.confirm.noAnswer')}
        </Box>
      </Panel>
      <Panel title={translate('stations.confirm.lines')}>
        <LineTable label={translate('stations.confirm.lines')} columns={columns} rows={bill.rmaCheckBillLineList} />
      </Panel>
    </>
  );
}

function useColumns(): Column[] {
  const translate = useTranslate();
  return [
    { name: 'sn', type: 'String', format: 'code', label: 'SN' },
    { name: 'billTime', type: 'dateTime', label: translate('stations.confirm.checkTime') },
    { name: 'icdIds', type: 'String', format: 'code', label: translate('stations.field.issueCode') },
    { name: 'icdDescriptions', type: 'String', label: translate('stations.confirm.descriptions') },
    { name: 'maintainDate', type: 'date', label: translate('stations.confirm.maintainDate') },
  ];
}
