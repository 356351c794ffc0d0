import { useState } from 'react';
import { useTranslate } from 'ra-core';
import { Choice } from '#app/parts/Choice.tsx';
import { useLabelOf, useOptions } from '#app/parts/optionLabels.ts';
import { usePartFacts } from '#app/parts/usePartFacts.ts';
import type { PageProps } from '#app/parts/page.ts';
import { ScanStation } from '#app/parts/scan/ScanStation.tsx';
import { isWaiting } from '#app/parts/scan/scanQueue.ts';
import { useWordOfAddress } from '#app/parts/scan/useScanOfAddress.ts';
import { useStation } from '#app/parts/scan/useStation.ts';
import { StationTabs } from '#app/parts/StationTabs.tsx';
import { UnitFacts } from '#app/parts/UnitFacts.tsx';
import { useDraft } from '#app/parts/useDraft.ts';
import { useBaseData } from '#app/parts/useLookup.ts';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { send } from '#app/send.ts';
import type { DataOf, InputOf } from '#domain/call.ts';
import { Flag, GoodsType, RepairType } from '#domain/enums.ts';
import { IssueCategory, normaliseCode } from '#domain/issueCode.ts';
import { allPartsTypes, allRepairMethods, loadIssueCodeList } from '#domain/lookups.ts';
import { repair, validateSn } from './contract.ts';
import { emptyRow, RepairRecordForm, type RepairRow } from './RepairRecordForm.tsx';
import { RepairRows } from './RepairRows.tsx';
import { problemsOfExchange, problemsOfRepair, problemsOfReplacements } from './rules.ts';

interface RepairDraft {
  rows: readonly RepairRow[];
  /** The record that is being written; null while there is none. */
  row: RepairRow | null;
  /** Null until somebody chooses another one than is proposed. */
  repairType: string | null;
}

const fresh: RepairDraft = { rows: [], row: null, repairType: null };
const codesOf = (codes: readonly { code: string; name: string }[] | undefined) =>
  codes?.map((it) => `${it.code} ${it.name}`).join(', ');

/** Repair of one device or part: what was done to each of its boards. Spec 2 §2, §5 Repair. */
export default function RepairPage({ menuNo }: PageProps) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const partFacts = usePartFacts();
  const repairTypes = useOptions('repairType');
  const { wordsOf } = useProblemWords();
  const partsTypes = useBaseData(allPartsTypes, {}).data?.items ?? [];
  const methods = useBaseData(allRepairMethods, {}).data?.items ?? [];
  const codesOfRepair = useBaseData(loadIssueCodeList, { billType: IssueCategory.Repair });
  const codes = codesOfRepair.data?.issueCodeList ?? [];
  const known = { partsTypes: partsTypes.map((it) => it.value), repairMethods: methods.map((it) => it.value) };
  const [tab, setTab] = useState<string>(GoodsType.Device);
  const isTurning = useWordOfAddress('type', setTab);

  const station = useStation<DataOf<typeof validateSn>, InputOf<typeof repair>, DataOf<typeof repair>>({
    name: 'repair',
    bill: tab,
    limit: 1,
    take: (text): boolean => current !== undefined && takeCode(text),
    check: (sn) => send(validateSn, { sn, checkType: tab }),
    submit: (input, key) => send(repair, input, { key }),
    submitted: () => forget(),
    told: ({ sn, nextNode }) => translate('stations.repair.told', { sn, where: labelOf('nodes', nextNode) }),
  });
  const current = station.accepted[0];
  const unit = current?.data;
  const [draft, change, forget] = useDraft('repair', current?.sn, fresh);
  const isStock = unit?.repairTypeNeeded === Flag.Yes;
  const chosenType = draft.repairType ?? unit?.repairType ?? RepairType.Defective;

  const row = draft.row ?? emptyRow;
  const changeRow = (to: (now: RepairRow) => RepairRow) => change((now) => ({ row: to(now.row ?? emptyRow) }));
  const found = [...(unit?.lastFailIssueCodes ?? []), ...(unit?.checkIssueCodes ?? [])];
  const choices = [...codes, ...found.map((it) => ({ ...it, disposition: null, imageRequired: null }))];
  const tabs = { value: tab, onChange: setTab };

  function takeCode(text: string): boolean {
    const code = choices.find((it) => it.code === normaliseCode(text));
    if (!code) return false;
    const known = row.codes.some((it) => it.codeId === code.codeId);
    if (!known) changeRow((now) => ({ ...now, codes: [...now.codes, code] }));
    station.actions.tell({ kind: known ? 'duplicate' : 'ok', sn: code.code, text: code.name });
    return true;
  }

  const press = () => {
    const tell = (text: string) => station.actions.tell({ kind: 'wrong', sn: current?.sn ?? '', text });
    if (!current) return tell(translate('stations.scanMsg'));
    if (draft.row) return tell(translate('stations.repair.rowOpen'));
    const partsList = draft.rows.map(({ codes, partsTypeName, repairMethodName, urls, ...it }) => ({
      ...it,
      partsTypeName,
      repairMethodName,
      issueCodeIdList: codes.map((code) => code.codeId),
      issueCodeName: codes.map((code) => code.name).join(','),
      repairUrls: [...urls],
    }));
    const rows = draft.rows.map((it) => ({ ...it, issueCodes: it.codes, repairUrls: it.urls }));
    const [problem] = [
      ...problemsOfRepair(rows, known),
      ...problemsOfReplacements(current.sn, rows),
      ...(tab === GoodsType.Board ? problemsOfExchange(rows) : []),
    ];
    if (problem) return tell(wordsOf(problem));
    const repairType = isStock ? chosenType : null;
    station.actions.submit({ sn: current.sn, checkType: tab, repairType, partsList }, [current.key]);
  };

  return (
    <ScanStation
      menuNo={menuNo}
      title={translate('stations.repair.title')}
      station={station}
      primary={{ label: translate('stations.repair.do'), press }}
      isHeld={codesOfRepair.isLoading}
      isClosed={isTurning}
      hint={current ? translate('stations.check.scanCodes') : undefined}
      commands={{ tabs, codes }}
      before={<StationTabs {...tabs} />}
      work={
        current && (
          <>
            <RepairRecordForm
              key={current.sn}
              partsTypes={partsTypes}
              methods={methods}
              choices={choices}
              row={row}
              onChange={changeRow}
              components={unit?.components ?? []}
              bomId={unit?.item.bomId ?? null}
              slots={tab === GoodsType.Board ? unit?.slotList : null}
              onAdd={(row) => change({ rows: [...draft.rows, row], row: null })}
            />
            <RepairRows rows={draft.rows} onChange={(rows) => change({ rows })} />
          </>
        )
      }
      describe={({ data }) => data && `${data.item.name} · ${data.item.salesCode}`}
      facts={
        <UnitFacts
          sn={current?.sn}
          name={unit?.item.name}
          waiting={station.scans.filter(isWaiting).length}
          facts={[
            { label: translate('stations.field.salesCode'), value: unit?.item.salesCode, code: true },
            { label: translate('stations.field.mtbId'), value: unit?.mtbId, code: true },
            { label: translate('stations.field.checkCodes'), value: codesOf(unit?.checkIssueCodes) },
            { label: translate('stations.field.failCodes'), value: codesOf(unit?.lastFailIssueCodes) },
            ...partFacts(unit?.components ?? []),
          ]}
        >
          {isStock && (
            <Choice
              label={translate('stations.field.repairType')}
              value={chosenType}
              options={repairTypes}
              onChange={(repairType) => change({ repairType })}
            />
          )}
        </UnitFacts>
      }
    />
  );
}
