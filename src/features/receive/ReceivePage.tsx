import { useEffect, useState } from 'react';
import Button from '@mui/material/Button';
import { useTranslate } from 'ra-core';
import { useNotices } from '#app/notify.ts';
import { BillLoader } from '#app/parts/BillLoader.tsx';
import { ConfirmDialog } from '#app/parts/ConfirmDialog.tsx';
import type { PageProps } from '#app/parts/page.ts';
import { isWithoutVerdict } from '#app/parts/scan/answers.ts';
import { ScanStation } from '#app/parts/scan/ScanStation.tsx';
import { useKept } from '#app/parts/scan/useKept.ts';
import { usePlace, useStation } from '#app/parts/scan/useStation.ts';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { CallError, send } from '#app/send.ts';
import { useLanguage, useUser } from '#app/session.ts';
import type { DataOf, InputOf } from '#domain/call.ts';
import { DEPRECIATION, ReceivePayment } from '#domain/enums.ts';
import { finishReceive, queryByShipNo, receive, validateSn } from './contract.ts';
import { type Bill, linesOf, type Received, requestOf, type Setting } from './receiveLines.tsx';
import { ReceiptBill } from './ReceiptBill.tsx';
import { ReceiptSetting } from './ReceiptSetting.tsx';
import { problemsOfPayment } from './rules.ts';

const RELOAD_AFTER = 1000;
const fresh: Setting = { depreciation: DEPRECIATION, payment: ReceivePayment.Send, payAmount: '' };

/** Devices of one bill come into the house, SN by SN. Spec 2 §4 Receive. */
export default function ReceivePage({ menuNo }: PageProps) {
  const translate = useTranslate();
  const notices = useNotices();
  const extras = useReceiptExtras();
  const place = usePlace('receive-setting', '');
  const shipNo = useKept(place, 'shipNo', '');
  const setting = useKept<Setting>(place, 'setting', fresh);
  const kept = useKept<Bill | undefined>(place, 'bill', undefined);
  const bill = kept.value ?? null;
  const [isLoading, setLoading] = useState(false);
  const [asking, setAsking] = useState(false);
  const finish = useSubmit(finishReceive);
  const mtbId = bill?.mtbId ?? '';

  const station = useStation<Received, InputOf<typeof receive>, DataOf<typeof receive>>({
    name: 'receive',
    bill: mtbId,
    chosen: () => setting.value.depreciation,
    closed: () => {
      if (!bill) return translate('stations.shipNoMsg');
      return setting.value.depreciation === '' ? translate('stations.emptyMsg') : undefined;
    },
    check: (sn) => send(validateSn, { sn, mtbId, ...extras }),
    submit: (input, key) => send(receive, input, { key }),
    submitted: () => void load(shipNo.value, true),
    told: ({ receivedCount, warning }) =>
      [translate('stations.receive.told', { smart_count: receivedCount }), warning].filter(Boolean).join(' · '),
  });
  const { accepted, actions } = station;

  /** `quiet` where nobody asked for it: only what the page shows is brought up to date. */
  async function load(no: string, quiet = false): Promise<string> {
    if (no === '') return translate('stations.shipNoMsg');
    if (!quiet) setLoading(true);
    try {
      const loaded = await send(queryByShipNo, { receiveShipNo: no, ...extras });
      kept.set(loaded);
      shipNo.set(no);
      if (loaded.warning && !quiet) notices.warning(loaded.warning, { duration: 30_000 });
      return '';
    } catch (error) {
      // A bill that can't be reached now is worked on as it was; its scans are kept.
      if (!quiet && !isWithoutVerdict(error)) kept.set(undefined);
      return error instanceof CallError && error.msg ? error.msg : translate('shell.call.network');
    } finally {
      setLoading(false);
    }
  }
  useEffect(() => {
    if (shipNo.loaded && kept.loaded && shipNo.value !== '') void load(shipNo.value, true);
    // Once, when what is kept has arrived.
  }, [shipNo.loaded, kept.loaded]);

  const no = (text: string) => actions.tell({ kind: 'wrong', sn: '', text });
  const press = () => {
    if (!bill) return no(translate('stations.shipNoMsg'));
    if (accepted.length === 0) return no(translate('stations.emptyMsg'));
    const { payment, payAmount } = setting.value;
    const [problem] = problemsOfPayment(payment, Number(payAmount));
    if (problem) return no(translate('stations.emptyMsg'));
    const paid = payment === ReceivePayment.Arrival ? payAmount : null;
    actions.submit(
      { mtbId, payment, payAmount: paid, rmaReceiveBillLineRequestList: requestOf(accepted, bill), ...extras },
      accepted.map((it) => it.key),
    );
    setting.set({ ...setting.value, payment: ReceivePayment.Send, payAmount: '' });
  };
  const finalize = async () => {
    setAsking(false);
    const done = await finish.submit({ maintainBillId: mtbId, ...extras });
    if (!done) return;
    shipNo.set('');
    kept.set(undefined);
    notices.success(translate('stations.submitMsg'));
    setTimeout(() => location.reload(), RELOAD_AFTER);
  };
  useEffect(() => {
    if (finish.problem) no(finish.problem);
    // Told once for each refusal.
  }, [finish.problem]);

  return (
    <>
      <ScanStation
        menuNo={menuNo}
        title={translate('stations.receive.title')}
        station={station}
        primary={{ label: translate('stations.receive.do', { smart_count: accepted.length }), press }}
        isHeld={isLoading}
        idle={bill ? undefined : translate('stations.shipNoMsg')}
        before={
          <>
            <BillLoader
              label={translate('stations.field.receiveShipNo')}
              initial={shipNo.value}
              isLoaded={bill !== null}
              isLoading={isLoading}
              onLoad={(it) => load(it)}
            />
            <ReceiptSetting value={setting.value} onChange={setting.set} />
          </>
        }
        describe={({ data, chosen }) => data && `${data.item.name} · ${data.item.code} · ${String(chosen)}`}
        facts={
          <ReceiptBill
            bill={bill}
            lines={linesOf(bill, accepted)}
            scanned={accepted.length}
            onDeleted={() => void load(shipNo.value, true)}
          />
        }
        more={
          <Button
            variant="outlined"
            size="medium"
            disabled={!bill || finish.sending}
            onClick={() => {
              if (accepted.length > 0) return no(translate('stations.receive.first', { smart_count: accepted.length }));
              setAsking(true);
            }}
          >
            {translate('stations.receive.finalize')}
          </Button>
        }
      />
      <ConfirmDialog
        open={asking}
        title={translate('stations.receive.finalizeTitle', { no: bill?.mtbId ?? '' })}
        text={translate('stations.receive.finalizeText')}
        confirm={translate('stations.receive.finalize')}
        onClose={() => setAsking(false)}
        onConfirm={() => void finalize()}
      />
    </>
  );
}

/** What every receipt call says besides; the server goes by the session. Spec 2 §7. */
function useReceiptExtras() {
  const lang = useLanguage();
  const user = useUser();
  return { lang, orgId: user?.orgId ?? '', siteId: user?.siteId ?? '', userId: user?.userId ?? '' };
}
