import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslate } from 'ra-core';
import { listed } from '#app/fields/format.ts';
import { useNotices } from '#app/notify.ts';
import { BillLoader } from '#app/parts/BillLoader.tsx';
import { Confirm } from '#app/parts/Confirm.tsx';
import type { PageProps } from '#app/parts/page.ts';
import { reload } from '#app/parts/reload.ts';
import { PassingWarning } from '#app/parts/scan/PassingWarning.tsx';
import { ScanStation } from '#app/parts/scan/ScanStation.tsx';
import { hasOverlay } from '#app/parts/scan/editable.ts';
import { isLiving } from '#app/parts/scan/scanQueue.ts';
import { usePersistedState } from '#app/parts/scan/usePersistedState.ts';
import { useStation } from '#app/parts/scan/useStation.ts';
import { NOT_OUR_TAB } from '#app/parts/StationTabs.tsx';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { send } from '#app/send.ts';
import { useShortcuts } from '#app/shell/useShortcuts.ts';
import type { DataOf, InputOf } from '#domain/call.ts';
import { DEPRECIATION, GoodsType, ReceivePayment } from '#domain/enums.ts';
import { groupBy } from '#domain/group.ts';
import { createNonOfficial, finishReceive, receive, validateSn } from './contract.ts';
import { ArrivalNotePanel } from './ArrivalNotePanel.tsx';
import { type Bill, groupByLine, type Received, toRequestLines, type Setting, totalOf } from './receiveLines.tsx';
import { ReceiptBill } from './ReceiptBill.tsx';
import { ReceiptSetting } from './ReceiptSetting.tsx';
import { type Boards, ReceiveBoards } from './ReceiveBoards.tsx';
import { validatePayment } from './rules.ts';
import { useArrivalNotes } from './useArrivalNotes.ts';
import { useReceipt } from './useReceipt.ts';

const RELOAD_AFTER = 1000;
const fresh: Setting = { depreciation: DEPRECIATION, payment: ReceivePayment.Send, payAmount: '', type: '' };
const kinds = [GoodsType.Device, GoodsType.Board, NOT_OUR_TAB];

/**
 * Goods of one bill come into the workshop: devices by SN, boards by count, what is not ours by SN and type.
 * Rule: receiving#station.
 */
export default function ReceivePage({ menuNo }: PageProps) {
  const translate = useTranslate();
  const notices = useNotices();
  const { lineOf } = useProblemWords();
  const { bill, mtbId, isLoading, extras, ...receipt } = useReceipt();
  const [tab, setTab] = useState<string>(GoodsType.Device);
  const setting = usePersistedState<Setting>(receipt.scope, 'setting', fresh);
  const notes = useArrivalNotes(receipt.scope);
  const [boards, setBoards] = useState<readonly Boards[]>([]);
  const [asking, setAsking] = useState(false);
  const [isFinished, setFinished] = useState(false);
  const [openPictures, setOpenPictures] = useState('');
  const finish = useSubmit(finishReceive);
  const isNonOfficial = tab === NOT_OUR_TAB;
  const { depreciation, type } = setting.value;

  const station = useStation<Received, InputOf<typeof receive>, DataOf<typeof receive>>({
    name: 'receive',
    bill: mtbId,
    isBillUnread: bill === undefined,
    chosen: () => depreciation,
    blockedBy: () => {
      if (!bill) return translate('stations.shipNoMsg');
      const missing = [
        ...(isNonOfficial && !type ? [translate('stations.notOur.type')] : []),
        ...(depreciation === '' ? [translate('stations.field.depreciation')] : []),
      ];
      return missing.length > 0 ? translate('refusals.required', { fields: listed(missing) }) : undefined;
    },
    onCode: (text): boolean => {
      const noted = newest && notes.noteCode(newest.key, text);
      if (!noted) return false;
      const { code, isKnown } = noted;
      actions.showVerdict({ kind: isKnown ? 'duplicate' : 'ok', sn: code.code, text: code.name });
      return true;
    },
    // A scan whose answer was lost on its way is entered again under its key, and gets that answer.
    check: (sn, _, key) =>
      isNonOfficial
        ? send(createNonOfficial, { sn, type, ...extras }, { key: `not-our ${key}` })
        : send(validateSn, { sn, mtbId, ...extras }),
    submit: (input, key) => send(receive, input, { key }),
    onSubmitted: (_, __, scanKeys) => {
      notes.forget(scanKeys);
      setting.set(fresh);
      receipt.again();
    },
    refresh: receipt.again,
    successText: ({ receivedCount, warning }) =>
      [translate('stations.receive.told', { smart_count: receivedCount }), warning].filter(Boolean).join(' · '),
  });
  const { accepted, actions } = station;
  const newest = accepted.at(-1);
  const lines = useMemo(() => groupByLine(bill, accepted, tab === GoodsType.Board), [bill, accepted, tab]);

  const no = (text: string) => actions.showVerdict({ kind: 'wrong', sn: '', text });
  const press = () => {
    if (!bill) return no(translate('stations.shipNoMsg'));
    if (accepted.length === 0) return no(translate('stations.emptyMsg'));
    if (openPictures) return no(openPictures);
    const { payment, payAmount } = setting.value;
    const [problem] = validatePayment(payment, Number(payAmount));
    if (problem) return no(lineOf([problem], (field) => translate(`stations.field.${field}`)));
    const paid = payment === ReceivePayment.Arrival ? payAmount : null;
    actions.submit(
      {
        mtbId,
        payment,
        payAmount: paid,
        rmaReceiveBillLineRequestList: toRequestLines(accepted, bill, notes.all),
        ...extras,
      },
      accepted.map((it) => it.key),
    );
  };
  const change = (to: string) => {
    const keys = station.scans.map((it) => it.key);
    setTab(to);
    setBoards([]);
    setting.set(fresh);
    notes.forget(keys);
    actions.remove(keys);
    actions.closeVerdict();
  };
  // Those that are still asked about belong to the bill as well.
  const scanned = station.scans.filter(isLiving).length;
  const entered = boards.reduce((sum, it) => sum + it.repairable + it.unrepairable, 0);
  const unreceived = scanned + entered;
  const sayUnreceived = () => {
    const [key, count] = entered > 0 ? ['firstBoards', entered] : ['first', scanned];
    const text = translate(`stations.receive.${key}`, { smart_count: count });
    if (tab === GoodsType.Board) notices.error(text);
    else no(text);
  };
  const finalize = async () => {
    setAsking(false);
    if (unreceived > 0) return sayUnreceived();
    const done = await finish.submit({ maintainBillId: mtbId, ...extras });
    if (!done) return;
    receipt.forget();
    notices.success(translate('stations.submitMsg'));
    setFinished(true);
  };
  // Not under whoever has gone to another page meanwhile.
  useEffect(() => {
    if (!isFinished) return undefined;
    const timer = setTimeout(reload, RELOAD_AFTER);
    return () => {
      clearTimeout(timer);
      setFinished(false);
    };
  }, [isFinished]);
  const tellRefusal = useEffectEvent((problem: string) => notices.error(problem));
  // Told once for each refusal.
  useEffect(() => {
    if (finish.problem) tellRefusal(finish.problem);
  }, [finish.problem]);

  const tabs = { value: tab, onChange: change, tabs: kinds };
  const before = (
    <>
      <BillLoader
        label={translate('stations.field.receiveShipNo')}
        initial={receipt.shipNo}
        isLoaded={Boolean(bill)}
        isLoading={isLoading}
        isUnread={bill === undefined}
        onLoad={receipt.load}
      />
      {receipt.warning !== '' && <PassingWarning id={mtbId}>{receipt.warning}</PassingWarning>}
    </>
  );
  const askFinish = () => {
    if (!bill || finish.sending || asking) return;
    if (unreceived > 0) return sayUnreceived();
    setAsking(true);
  };
  useShortcuts({ endBill: () => void (hasOverlay() || askFinish()) });
  const { done, expected } = totalOf(lines, accepted.length);
  const tally = bill ? [{ label: translate('stations.receive.receivedOf'), value: `${done} / ${expected}` }] : [];
  const facts = <ReceiptBill bill={bill} lines={lines} scanned={accepted.length} onDeleted={receipt.again} />;
  const more = (
    <Button
      variant="outlined"
      size="medium"
      disabled={!bill || finish.sending}
      onClick={askFinish}
      title="Ctrl+Shift+Enter"
    >
      {translate('stations.receive.finalize')}
    </Button>
  );

  return (
    <>
      {tab === GoodsType.Board ? (
        <ReceiveBoards
          menuNo={menuNo}
          bill={bill}
          extras={extras}
          tabs={tabs}
          before={before}
          facts={facts}
          more={more}
          lines={boards}
          onChange={setBoards}
          onReceived={receipt.again}
        />
      ) : (
        <ScanStation
          menuNo={menuNo}
          title={translate('stations.receive.title')}
          station={station}
          primary={{ label: translate('stations.receive.do', { smart_count: accepted.length }), press }}
          isHeld={isLoading || bill === undefined}
          isClosed={!bill}
          commands={{ tabs, codes: notes.choices }}
          idle={bill === null ? translate('stations.shipNoMsg') : undefined}
          before={
            <>
              {before}
              <ReceiptSetting value={setting.value} onChange={setting.set} hasType={isNonOfficial} />
            </>
          }
          work={
            newest && (
              <ArrivalNotePanel
                sn={newest.sn}
                choices={notes.choices}
                note={notes.of(newest.key)}
                onChange={(it) => notes.note(newest.key, it)}
                onOpen={setOpenPictures}
              />
            )
          }
          describe={({ data, chosen }) => data && `${data.item.name} · ${data.item.code} · ${String(chosen)}`}
          remarkOf={({ key }) => notes.told(key)}
          tally={tally}
          facts={facts}
          more={more}
        />
      )}
      <Confirm
        thenScan
        open={asking}
        title={translate('stations.receive.finalizeTitle', { no: bill?.mtbId })}
        action={translate('stations.receive.finalize')}
        onCancel={() => setAsking(false)}
        onConfirm={() => void finalize()}
      >
        {bill && <Missing bill={bill} />}
        {translate('stations.receive.finalizeText')}
      </Confirm>
    </>
  );
}

/** What a receipt that is finished goes without: how many are here of all, and each model of which some are missing. */
function Missing({ bill }: { bill: Bill }) {
  const translate = useTranslate();
  const lines = bill.rmaMaintainBillLineList;
  const open = [...groupBy(lines, (it) => it.salesCode)]
    .map(([salesCode, all]) => ({ salesCode, count: all.reduce((sum, it) => sum + it.count - it.receivedCount, 0) }))
    .filter((it) => it.count > 0);
  const done = lines.reduce((sum, it) => sum + it.receivedCount, 0);
  const expected = lines.reduce((sum, it) => sum + it.count, 0);
  return (
    <Box sx={{ mb: 2 }}>
      <div>{translate('stations.receive.finalizeCount', { done, expected })}</div>
      {open.map(({ salesCode, count }) => (
        <div key={salesCode}>{translate('stations.receive.finalizeMissing', { salesCode, smart_count: count })}</div>
      ))}
    </Box>
  );
}
