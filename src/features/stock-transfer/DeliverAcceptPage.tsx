import { useTranslate } from 'ra-core';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import type { PageProps } from '#app/parts/page.ts';
import { ScanStation } from '#app/parts/scan/ScanStation.tsx';
import { useStation } from '#app/parts/scan/useStation.ts';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { send } from '#app/send.ts';
import type { DataOf, InputOf } from '#domain/call.ts';
import { deliverAccept, querySnInfo } from './contract.ts';
import { type Goods, lineFor, validateCounts } from './rules.ts';
import { countsOf, TransferFacts } from './TransferFacts.tsx';
import { useLineRoom } from './useLineRoom.ts';
import { useTransferPage } from './useTransferPage.tsx';

type Scanned = DataOf<typeof querySnInfo> & { sktblId: string };

/** The SNs of a transfer are scanned at its shipping site, and leave together. Rule: transfers#delivering. */
export default function DeliverAcceptPage({ menuNo, id = '' }: PageProps) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const { wordsOf } = useProblemWords();
  const { bill, sktbId, problem, ofStation, ofPage } = useTransferPage('deliverAccept', id);
  const lines = bill?.rmaStockTransferBillLineList ?? [];
  const room = useLineRoom();

  const station = useStation<Scanned, InputOf<typeof deliverAccept>, DataOf<typeof deliverAccept>>({
    name: 'transferOut',
    ...ofStation,
    check: async (sn, _, key) => {
      const unit = await send(querySnInfo, { sn, siteId: bill?.deliverSiteId ?? '', ...goodsOf(lines) });
      const line = lineFor(lines, unit);
      if (line) room.take(line, key);
      return { ...unit, sktblId: line?.sktblId ?? '' };
    },
    submit: (input, key) => send(deliverAccept, input, { key }),
    successText: ({ sentCount, ...it }) => translate('bills.transfer.delivered', { smart_count: sentCount, ...it }),
  });
  const { accepted, actions } = station;
  room.useList(station);
  const counts = countsOf(accepted);

  const no = (text: string) => actions.showVerdict({ kind: 'wrong', sn: '', text });
  const press = () => {
    if (!bill || problem) return no(problem);
    const [wrong] = validateCounts(lines, (it) => counts.get(it) ?? 0);
    if (wrong) return no(wordsOf(wrong));
    const lineList = lines.map(({ sktblId }) => ({
      sktblId,
      snList: accepted.flatMap(({ sn, data }) => (data?.sktblId === sktblId ? [sn] : [])),
    }));
    actions.submit(
      { sktbId, deliverSiteId: bill.deliverSiteId, lineList },
      accepted.map((it) => it.key),
    );
  };
  return (
    <ScanStation
      menuNo={menuNo}
      title={translate('bills.transfer.deliver')}
      station={station}
      primary={{ label: translate('bills.transfer.deliverDo', { smart_count: accepted.length }), press }}
      {...ofPage}
      describe={({ data }) => data && `${data.name} · ${data.salesCode} · ${labelOf('storageType', data.storageType)}`}
      tally={
        bill ? [{ label: translate('bills.transfer.scannedOf'), value: `${accepted.length} / ${bill.count}` }] : []
      }
      facts={
        <TransferFacts
          bill={bill}
          label={translate('bills.transfer.scannedOf')}
          doneOf={({ sktblId }) => counts.get(sktblId) ?? 0}
        />
      }
    />
  );
}

/** The goods of all lines, as the question about an SN names them. */
const goodsOf = (lines: readonly Goods[]) => {
  const all = (name: keyof Goods) => lines.map((it) => it[name]).join('|');
  return { salesCode: all('salesCode'), itemType: all('itemType'), storageType: all('storageType') };
};
