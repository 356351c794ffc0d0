import type { ReactNode } from 'react';
import Box from '@mui/material/Box';
import { useRefresh, useTranslate } from 'ra-core';
import type { Call, InputOf } from '#domain/call.ts';
import { Confirmation } from '#domain/enums.ts';
import { splitUrls } from '#domain/images.ts';
import type { Problem } from '#domain/refusal.ts';
import { statusOf } from '#app/engine/factsOf.tsx';
import type { Column, Detail, Row } from '#app/engine/wire.ts';
import { listed } from '#app/fields/format.ts';
import { useNotices } from '#app/notify.ts';
import { cellOf, Moment } from '#app/parts/cells.tsx';
import { DecisionFrame } from '#app/parts/DecisionFrame.tsx';
import { FactGrid, Panel } from '#app/parts/Facts.tsx';
import { LineTable } from '#app/parts/LineTable.tsx';
import type { PageProps } from '#app/parts/page.ts';
import { PageHead } from '#app/parts/PageHead.tsx';
import { Pictures } from '#app/parts/Pictures.tsx';
import { SnLink } from '#app/parts/SnLink.tsx';
import { useQueuePlace } from '#app/parts/useQueuePlace.ts';
import { useRecord } from '#app/parts/useRecord.ts';
import { useSeen } from '#app/parts/useSeen.tsx';
import { useSubmit } from '#app/parts/useSubmit.ts';
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

/** The proposal as its list has it. */
type Line = Detail & { ckbId: string };

interface Props<C extends Call, Word> extends PageProps {
  module: 'rmaScrapConfirm' | 'rmaNofaultConfirm';
  title: string;
  call: C;
  /** The word as it stands in the form, with this yes or no; and the field of it that says so. */
  wordOf: (status: string) => Word;
  status: keyof Word & string;
  chosen: string;
  onChoose: (status: string) => void;
  rules: (word: Word) => Problem[];
  /** What the two buttons say. */
  yes: string;
  no: string;
  /** The form, told what is wrong with each of its fields. */
  children: (problems: Record<string, string>) => ReactNode;
}

/**
 * What a check proposed, with all that it was judged by, and beside it a supervisor's word: two buttons, and what each of
 * them asks for. Rule: checking#supervisor.
 */
export function Proposal<C extends Call, Word extends object>({
  menuNo,
  id = '',
  module,
  title,
  call,
  wordOf,
  status,
  chosen,
  onChoose,
  rules,
  yes,
  no,
  children,
}: Props<C, Word>) {
  const translate = useTranslate();
  const refresh = useRefresh();
  const notices = useNotices();
  const queue = useQueuePlace(menuNo, scripts[module], id);
  const { data: line, error: lineError, reload } = useRecord<Line>(module, id);
  const { data: bill, error: billError } = useRecord<CheckBill>('rmaCheckBill', String(line?.['ckbId'] ?? ''));
  const { version, failed, notice } = useSeen(module, line, reload);
  const { submit, sending, problem } = useSubmit(call, failed);
  const sn = line ? String(line['sn']) : undefined;
  const error = lineError || billError;
  useTabName(sn, line && String(line.id));

  const send = async (word: Word): Promise<boolean> => {
    if (!bill || !sn) return false;
    const { mtbId, ckbId } = bill;
    if (!(await submit({ ...word, mtbId, ckbId, sn, version } as InputOf<C>))) return false;
    notices.success(translate('stations.confirm.done', { sn }));
    refresh();
    return true;
  };
  return (
    <DecisionFrame
      {...{ menuNo, title, queue, chosen, onChoose, wordOf, rules, send, sending }}
      key={id}
      head={<PageHead isReading={!line && error === ''} status={line && statusOf(line.view, line)} menuNo={menuNo} />}
      isReading={!bill && error === ''}
      isOpen={bill !== undefined && line?.[status] === Confirmation.Waiting}
      closed={translate('stations.confirm.before')}
      problem={problem || error}
      notice={notice}
      yes={{ value: Confirmation.Confirmed, label: yes }}
      no={{ value: Confirmation.Declined, label: no }}
      facts={bill && line && <Evidence bill={bill} line={line} />}
      form={children}
    >
      {bill && <Findings bill={bill} />}
    </DecisionFrame>
  );
}

/** The button of the list by which each is opened; its queue goes by that name. */
const scripts = { rmaScrapConfirm: 'scrapConfirm', rmaNofaultConfirm: 'nofaultConfirm' } as const;

/** The pictures, as large as there is room, and what was found. */
function Findings({ bill }: { bill: CheckBill }) {
  const translate = useTranslate();
  const columns = useColumns();
  const urls = splitUrls(bill.checkUrls);
  return (
    <>
      <Panel isDense title={translate('stations.confirm.pictures')}>
        {urls.length === 0 ? translate('stations.confirm.noPictures') : <Pictures large urls={urls} />}
      </Panel>
      <Panel isDense title={translate('stations.confirm.lines')}>
        <LineTable
          label={translate('stations.confirm.lines')}
          columns={columns}
          rows={bill.rmaCheckBillLineList}
          cell={cellOf}
        />
      </Panel>
    </>
  );
}

/** Which unit it is, what was found of it, by whom and when, and what the model says. */
function Evidence({ bill, line }: { bill: CheckBill; line: Line }) {
  const translate = useTranslate();
  const sn = String(line['sn']);
  const found = bill.rmaCheckBillLineList.find((it) => it['sn'] === sn);
  const said = (value: unknown) => (typeof value === 'string' ? listed(value.split(',')) : '');
  return (
    <>
      <Panel isDense title={translate('stations.confirm.check')}>
        <Box sx={{ mb: 2, fontSize: 18, fontWeight: 600 }}>
          <SnLink sn={sn} />
        </Box>
        <FactGrid
          facts={[
            { label: translate('stations.field.issueCode'), value: said(found?.['icdIds']), code: true },
            { label: translate('stations.confirm.descriptions'), value: said(found?.['icdDescriptions']) },
            { label: translate('stations.field.itemName'), value: String(line['name'] ?? line['salesCode'] ?? '') },
            { label: translate('stations.confirm.checkTime'), value: <Moment at={bill.createTime} /> },
            {
              label: translate('stations.confirm.operator'),
              value: bill.view.labels?.['userId']?.[bill.userId] ?? bill.userId,
            },
            { label: translate('stations.field.mtbId'), value: bill.mtbId, code: true },
            { label: translate('stations.confirm.ckbId'), value: bill.ckbId, code: true },
          ]}
        />
      </Panel>
      <Panel isDense title={translate('stations.confirm.answer')}>
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
