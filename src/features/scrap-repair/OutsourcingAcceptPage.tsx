import { useState } from 'react';
import { useTranslate } from 'ra-core';
import { BillLoader } from '#app/parts/BillLoader.tsx';
import { Confirm } from '#app/parts/Confirm.tsx';
import { FactGrid, Panel } from '#app/parts/Facts.tsx';
import { NoBill } from '#app/parts/NoBill.tsx';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import type { PageProps } from '#app/parts/page.ts';
import { ScanStation } from '#app/parts/scan/ScanStation.tsx';
import type { Scan } from '#app/parts/scan/scanQueue.ts';
import { type StationView, useStation } from '#app/parts/scan/useStation.ts';
import { useBaseData } from '#app/parts/useLookup.ts';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { send } from '#app/send.ts';
import type { DataOf, InputOf } from '#domain/call.ts';
import { ScrapRepairStatus } from '#domain/enums.ts';
import { IssueCategory, normaliseCode } from '#domain/issueCode.ts';
import { allPartsTypes, allRepairMethods, loadIssueCodeList } from '#domain/lookups.ts';
import { normaliseSn } from '#domain/sn.ts';
import { AcceptedUnits } from './AcceptedUnits.tsx';
import { AddedUnits } from './AddedUnits.tsx';
import { outsourcingAccept, validateSnForAccept } from './contract.ts';
import { rolesOf, validateUnits } from './rules.ts';
import { UnitForm } from './UnitForm.tsx';
import { useScrapRepair, type Loaded } from './useScrapRepair.ts';
import { useUnitEntry } from './useUnitEntry.ts';

type Known = DataOf<typeof validateSnForAccept>;

/** What outsourcing made of a bill's scrap is entered unit by unit, and submitted together. Rule: scrap-repair#accepting. */
export default function OutsourcingAcceptPage({ menuNo, id = '' }: PageProps) {
  const translate = useTranslate();
  const { wordsOf } = useProblemWords();
  const scrapRepair = useScrapRepair(id);
  const { bill, srbId, problem } = scrapRepair;
  const checkCodes = useBaseData(loadIssueCodeList, { billType: IssueCategory.Check });
  const repairCodes = useBaseData(loadIssueCodeList, { billType: IssueCategory.Repair });
  const partsTypes = useBaseData(allPartsTypes, {}).data?.items ?? [];
  const methods = useBaseData(allRepairMethods, {}).data?.items ?? [];
  const [isAsking, setAsking] = useState(false);
  const [openPictures, setOpenPictures] = useState('');
  const codes = checkCodes.data?.issueCodeList ?? [];

  const station: StationView<Known, InputOf<typeof outsourcingAccept>> = useStation<
    Known,
    InputOf<typeof outsourcingAccept>,
    DataOf<typeof outsourcingAccept>
  >({
    name: 'outsourcingAccept',
    bill: srbId,
    isBillUnread: bill === undefined,
    blockedBy: () => problem || undefined,
    onCode: (text): boolean => entry.productSn !== '' && takeCode(text),
    onText: (text): boolean => isMainAgain(text),
    check: (sn) => send(validateSnForAccept, { sn, srbId }),
    submit: (input, key) => send(outsourcingAccept, input, { key }),
    onSubmitted: () => {
      entry.forget();
      scrapRepair.again();
    },
    refresh: scrapRepair.again,
    successText: ({ unitCount, consumedCount, freedCount }) =>
      translate('bills.scrapRepair.accepted', {
        smart_count: unitCount,
        consumed: consumedCount,
        freed: freedCount,
      }),
  });
  const { actions, accepted } = station;
  const entry = useUnitEntry(srbId, station, { partsTypes, methods });
  const no = (text: string, sn = '') => actions.showVerdict({ kind: 'wrong', sn, text });

  function takeCode(text: string): boolean {
    const found = codes.find((it) => it.code === normaliseCode(text));
    if (!found) return false;
    const known = entry.draft.codes.some((it) => it.codeId === found.codeId);
    if (!known) entry.change((now) => ({ codes: [...now.codes, found] }));
    actions.showVerdict({ kind: known ? 'duplicate' : 'ok', sn: found.code, text: found.name });
    return true;
  }
  /** The main SN once more is no auxiliary one. */
  function isMainAgain(text: string): boolean {
    const sn = normaliseSn(text);
    if (sn === '' || sn !== entry.productSn) return false;
    actions.showVerdict({ kind: 'duplicate', sn, text: wordsOf({ key: 'notAuxiliary', args: { sn } }) });
    return true;
  }

  const total = bill?.rmaScrapRepairBillLineList.length ?? 0;
  const used = entry.units.reduce((sum, it) => sum + 1 + it.assistSns.length, 0);
  const unused = total - used;
  const submit = () => {
    setAsking(false);
    actions.submit(
      { srbId, siteId: bill?.siteId ?? '', list: entry.list },
      accepted.map((it) => it.key),
    );
  };
  const press = () => {
    if (!bill || problem) return no(problem);
    if (openPictures) return no(openPictures, entry.productSn);
    if (entry.productSn !== '') return void entry.add();
    const [wrong] = validateUnits(entry.accepted);
    if (wrong) return no(wordsOf(wrong));
    if (unused > 0) setAsking(true);
    else submit();
  };

  const isReadOnly = bill !== undefined && bill !== null && bill.billStatus !== ScrapRepairStatus.Open;
  const label =
    entry.productSn === ''
      ? translate('bills.scrapRepair.acceptDo', { smart_count: entry.units.length })
      : translate('bills.scrapRepair.addDo');
  return (
    <>
      <ScanStation
        menuNo={menuNo}
        title={translate('bills.scrapRepair.accept')}
        station={station}
        primary={{ label, press, disabled: entry.isAdding || isReadOnly }}
        isHeld={scrapRepair.isLoading || bill === undefined || checkCodes.isLoading}
        isClosed={!bill}
        idle={bill === undefined ? undefined : problem || undefined}
        hint={translate(entry.productSn === '' ? 'bills.scrapRepair.scanMain' : 'bills.scrapRepair.scanAuxiliary')}
        commands={{ codes: entry.productSn === '' ? [] : codes }}
        before={
          <BillLoader
            label={translate('bills.scrapRepair.no')}
            initial={scrapRepair.no}
            isLoaded={Boolean(bill)}
            isLoading={scrapRepair.isLoading}
            isUnread={bill === undefined}
            onLoad={scrapRepair.load}
          />
        }
        work={
          isReadOnly ? (
            <Panel title={translate('bills.scrapRepair.units', { smart_count: bill.unitList.length })}>
              <AcceptedUnits units={bill.unitList} />
            </Panel>
          ) : (
            entry.productSn !== '' && (
              <UnitForm
                entry={entry}
                checkCodes={codes}
                repairCodes={repairCodes.data?.issueCodeList ?? []}
                partsTypes={partsTypes}
                methods={methods}
                onSubmit={press}
                onOpen={setOpenPictures}
              />
            )
          )
        }
        describe={(scan) => <Role scan={scan} entry={entry} />}
        tally={bill ? [{ label: translate('bills.scrapRepair.addedUnits'), value: String(entry.units.length) }] : []}
        facts={
          <>
            <BillFacts bill={bill} />
            {bill && !isReadOnly && <AddedUnits units={entry.units} onRemove={entry.removeUnit} />}
          </>
        }
      />
      <Confirm
        thenScan
        open={isAsking}
        title={translate('bills.scrapRepair.unused', { smart_count: unused })}
        action={translate('bills.scrapRepair.acceptDo', { smart_count: entry.units.length })}
        onCancel={() => setAsking(false)}
        onConfirm={submit}
      >
        {translate('bills.scrapRepair.unusedWhy')}
      </Confirm>
    </>
  );
}

/** What an SN is to the unit that it belongs to. */
function Role({ scan, entry }: { scan: Scan<Known>; entry: ReturnType<typeof useUnitEntry> }) {
  const translate = useTranslate();
  const { sn, data } = scan;
  if (!data) return null;
  const all = [...entry.units, rolesOf(entry.units, [...entry.unused])];
  const unit = all.find((it) => it.productSn === sn || it.assistSns.includes(sn));
  if (!unit) return null;
  const role =
    unit.productSn === sn
      ? translate('bills.scrapRepair.main')
      : translate('bills.scrapRepair.auxiliaryOf', { sn: unit.productSn });
  return `${role} · ${data.item.name} · ${data.item.salesCode}`;
}

function BillFacts({ bill }: { bill: Loaded | null | undefined }) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  if (!bill)
    return (
      <NoBill
        title={translate('bills.scrapRepair.bill')}
        loadFirst={translate('bills.scrapRepair.loadFirst')}
        isUnread={bill === undefined}
      />
    );
  return (
    <Panel title={translate('bills.scrapRepair.bill')}>
      <FactGrid
        hidesEmpty
        facts={[
          { label: translate('bills.scrapRepair.no'), value: bill.srbId, code: true },
          { label: translate('stations.field.status'), value: labelOf('scrapRepairStatus', bill.billStatus) },
          { label: translate('bills.scrapRepair.siteId'), value: bill.siteName },
          { label: translate('bills.scrapRepair.count'), value: bill.count },
          { label: translate('bills.scrapRepair.department'), value: bill.department },
          { label: translate('stations.field.remark'), value: bill.remark, wide: true },
        ]}
      />
    </Panel>
  );
}
