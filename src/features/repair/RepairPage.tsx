import { useState } from 'react';
import { useTranslate } from 'ra-core';
import { Choice } from '#app/parts/Choice.tsx';
import { useLabelOf, useOptions } from '#app/parts/optionLabels.ts';
import type { PageProps } from '#app/parts/page.ts';
import {
  emptyRow,
  focusOn,
  validateRow,
  RepairRecordForm,
  type RepairRow,
} from '#app/parts/repair/RepairRecordForm.tsx';
import { RepairRows } from '#app/parts/repair/RepairRows.tsx';
import { ScanStation } from '#app/parts/scan/ScanStation.tsx';
import { isWaiting } from '#app/parts/scan/scanQueue.ts';
import { usePersistedState } from '#app/parts/scan/usePersistedState.ts';
import { useQueryParameter } from '#app/parts/scan/useScanFromAddress.ts';
import { useStationScope } from '#app/parts/scan/useStationScope.ts';
import { useStation } from '#app/parts/scan/useStation.ts';
import { UnitFacts } from '#app/parts/UnitFacts.tsx';
import { useDraft } from '#app/parts/useDraft.ts';
import { useBaseData } from '#app/parts/useLookup.ts';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { send } from '#app/send.ts';
import type { DataOf, InputOf } from '#domain/call.ts';
import { Flag, GoodsType, RepairType } from '#domain/enums.ts';
import { IssueCategory, normaliseCode } from '#domain/issueCode.ts';
import { allPartsTypes, allRepairMethods, loadIssueCodeList } from '#domain/lookups.ts';
import type { Problem } from '#domain/refusal.ts';
import { needsReplaceSn, spendCountOf, validateRepair } from '#domain/repairRecord.ts';
import { isSn, normaliseSn } from '#domain/sn.ts';
import { repair, validateSn } from './contract.ts';
import { RepairFacts } from './RepairFacts.tsx';
import {
  type Habits,
  habitsAfter,
  noHabits,
  findOnlyPart,
  findPartsType,
  validateExchange,
  validateReplacements,
  proposeRecord,
} from './rules.ts';

interface RepairDraft {
  rows: readonly RepairRow[];
  /** The record that is being written; null while it is as it was proposed. */
  row: RepairRow | null;
  /** Null until somebody chooses another one than is proposed. */
  repairType: string | null;
}

const fresh: RepairDraft = { rows: [], row: null, repairType: null };
/** A place on a board is named shorter than any SN: what is longer was typed by a scanner. */
const LONGEST_SLOT = 11;

/** Repair of one device or part: what was done to each of its boards. Rule: repairing#station. */
export default function RepairPage({ menuNo }: PageProps) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const repairTypes = useOptions('repairType');
  const { lineOf } = useProblemWords();
  const partsTypes = useBaseData(allPartsTypes, {}).data?.items ?? [];
  const methods = useBaseData(allRepairMethods, {}).data?.items ?? [];
  const repairCodes = useBaseData(loadIssueCodeList, { billType: IssueCategory.Repair });
  const codes = repairCodes.data?.issueCodeList ?? [];
  const [tab, setTab] = useState<string>(GoodsType.Device);
  const isTurning = useQueryParameter('type', turn);
  const habits = usePersistedState<Habits>(useStationScope('repair-habits', ''), 'habits', noHabits);
  const [shownProblems, setShownProblems] = useState<readonly Problem[]>([]);
  /** Counts what was filled in by a scan. */
  const [filledCount, setFilledCount] = useState(0);
  const [openPictures, setOpenPictures] = useState('');

  const station = useStation<DataOf<typeof validateSn>, InputOf<typeof repair>, DataOf<typeof repair>>({
    name: 'repair',
    bill: tab,
    limit: 1,
    onCode: (text): boolean => current !== undefined && take(text),
    // Besides the codes of the card, those that were found on the unit, and its parts.
    onText: (text): boolean => current !== undefined && take(text),
    check: (sn) => send(validateSn, { sn, checkType: tab }),
    submit: (input, key) => send(repair, input, { key }),
    onSubmitted: () => {
      setShownProblems([]);
      forget();
    },
    successText: ({ sn, nextNode }) => translate('stations.repair.told', { sn, where: labelOf('nodes', nextNode) }),
  });
  const { showVerdict } = station.actions;
  const current = station.accepted[0];
  const unit = current?.data;
  const [draft, change, forget] = useDraft('repair', current?.sn, fresh);
  const isStock = unit?.repairTypeNeeded === Flag.Yes;
  const chosenType = draft.repairType ?? unit?.repairType ?? RepairType.Defective;
  const model = tab === GoodsType.Board ? (unit?.item.salesCode ?? '') : null;
  const components = unit?.components ?? [];
  const slots = tab === GoodsType.Board && unit?.slotList ? new Set(unit.slotList) : null;

  const found = [...(unit?.lastFailIssueCodes ?? []), ...(unit?.checkIssueCodes ?? [])].map((it) => ({
    ...it,
    disposition: null,
    imageRequired: null,
  }));
  const choices = [...codes, ...found];
  const proposed = (rows: readonly RepairRow[]): RepairRow => {
    const salesCode = unit?.item.salesCode ?? '';
    return { ...emptyRow, ...proposeRecord({ type: tab, salesCode, found }, rows, habits.value) };
  };
  const row = draft.row ?? proposed(draft.rows);
  const problems = validateRow(row, slots);
  const tabs = { value: tab, onChange: setTab, blocked: openPictures };

  /** What has not arrived yet would be gone with the form. */
  function turn(to: string) {
    if (openPictures && to !== tab) showVerdict({ kind: 'wrong', sn: '', text: openPictures });
    else setTab(to);
  }

  /** What is chosen says more than itself: which part a board type means, where it can only mean one. */
  const changeRow = (to: (now: RepairRow) => RepairRow) => {
    setShownProblems([]);
    change((now) => {
      const before = now.row ?? proposed(now.rows);
      const after = to(before);
      const isNews = after.partsType !== before.partsType || after.repairMethod !== before.repairMethod;
      const only = isNews && needsReplaceSn(after.repairMethod) ? findOnlyPart(components, after.partsType) : undefined;
      return { row: after.sn === '' && only !== undefined ? { ...after, sn: only } : after };
    });
  };
  const setPart = (sn: string) => {
    changeRow((now) => ({ ...now, sn, partsType: findPartsType(components, sn) ?? now.partsType }));
    setFilledCount((now) => now + 1);
  };

  /** What is scanned for the record: an issue code, or one of the parts of the device. */
  function take(text: string): boolean {
    const sn = normaliseSn(text);
    if (components.some((it) => it.componentSn === sn)) {
      setPart(sn);
      showVerdict({ kind: 'ok', sn, text: nameOf(partsTypes, findPartsType(components, sn) ?? '') });
      return true;
    }
    const code = choices.find((it) => it.code === normaliseCode(text));
    if (!code) return false;
    const known = row.codes.some((it) => it.codeId === code.codeId);
    if (!known) changeRow((now) => ({ ...now, codes: [...now.codes, code] }));
    setFilledCount((now) => now + 1);
    showVerdict({ kind: known ? 'duplicate' : 'ok', sn: code.code, text: code.name });
    return true;
  }
  const choose = (list: 'PART' | 'MODE', value: string) => {
    const name = nameOf(list === 'PART' ? partsTypes : methods, value);
    if (!current || name === '') return undefined;
    changeRow((now) => ({ ...now, [list === 'PART' ? 'partsType' : 'repairMethod']: value }));
    setFilledCount((now) => now + 1);
    return name;
  };

  const wrong = (text: string) => showVerdict({ kind: 'wrong', sn: current?.sn ?? '', text });
  /** Says what is wrong in the large line and at the fields, and leads to the first. */
  const refuse = (found: readonly Problem[]) => {
    setShownProblems(found);
    focusOn(found);
    wrong(lineOf(found, (field) => translate(`stations.repair.${labels[field] ?? field}`)));
  };
  /** The records with the one that is being written; nothing where that can't stay so, which is told. */
  const withRow = (): readonly RepairRow[] | undefined => {
    if (problems.length > 0) return void refuse(problems);
    if (openPictures) return void wrong(openPictures);
    habits.set((now) => habitsAfter(now, row, model));
    return [
      ...draft.rows,
      {
        ...row,
        sn: normaliseSn(row.sn),
        replaceSn: normaliseSn(row.replaceSn),
        spendItemCount: spendCountOf(row),
        partsTypeName: nameOf(partsTypes, row.partsType),
        repairMethodName: nameOf(methods, row.repairMethod),
      },
    ];
  };
  const add = () => {
    const rows = withRow();
    if (!rows) return;
    change({ rows, row: null });
    // Where nothing more was found, the next thing is a scan.
    if (proposed(rows).codes.length > 0) setFilledCount((now) => now + 1);
  };

  const press = () => {
    if (!current) return wrong(translate('stations.scanMsg'));
    // What was only proposed is no record of its own beside others.
    const isOpen = draft.rows.length === 0 || (draft.row !== null && !isSame(draft.row, proposed(draft.rows)));
    const rows = isOpen ? withRow() : draft.rows;
    if (!rows) return;
    if (isOpen) change({ rows, row: null });
    const known = { partsTypes: partsTypes.map((it) => it.value), repairMethods: methods.map((it) => it.value) };
    const records = rows.map((it) => ({ ...it, issueCodes: it.codes, repairUrls: it.urls }));
    const wrongRows = [
      ...validateRepair(records, known),
      ...validateReplacements(current.sn, records),
      ...(tab === GoodsType.Board ? validateExchange(records) : []),
    ];
    if (wrongRows.length > 0) {
      return wrong(lineOf(wrongRows.slice(0, 1), (it) => translate(`stations.repair.${it.split('.').at(-1)}`)));
    }
    const partsList = rows.map(({ codes, urls, ...it }) => ({
      ...it,
      issueCodeIdList: codes.map((code) => code.codeId),
      issueCodeName: codes.map((code) => code.name).join(','),
      repairUrls: [...urls],
    }));
    const repairType = isStock ? chosenType : null;
    station.actions.submit({ sn: current.sn, checkType: tab, repairType, partsList }, [current.key]);
  };
  /** What a scanner without a recognisable rhythm typed into a field for something else. */
  const takeScanned = (text: string): boolean => {
    const sn = normaliseSn(text);
    if (sn === '' || take(sn)) return sn !== '';
    if (sn.length <= LONGEST_SLOT || !isSn(sn)) return false;
    station.actions.scan(sn);
    return true;
  };

  const waiting = station.scans.filter(isWaiting).length;
  const typeChoice = isStock && (
    <Choice
      label={translate('stations.field.repairType')}
      value={chosenType}
      options={repairTypes}
      onChange={(repairType) => change({ repairType })}
    />
  );
  return (
    <ScanStation
      menuNo={menuNo}
      title={translate('stations.repair.title')}
      station={station}
      primary={{ label: translate('stations.repair.do'), press }}
      isHeld={repairCodes.isLoading}
      isClosed={isTurning}
      hint={current ? translate('stations.check.scanCodes') : undefined}
      commands={{
        tabs,
        codes,
        choices: [
          { list: 'PART', title: translate('stations.repair.partsType'), items: partsTypes },
          { list: 'MODE', title: translate('stations.repair.repairMethod'), items: methods },
        ],
        onChoose: choose,
      }}
      work={
        current && (
          <RepairRecordForm
            key={current.sn}
            partsTypes={partsTypes}
            methods={methods}
            choices={choices}
            components={components}
            bomId={unit?.item.bomId ?? null}
            row={row}
            problems={problems}
            shownProblems={shownProblems}
            filled={filledCount}
            onChange={changeRow}
            onAdd={add}
            onSubmit={press}
            onScanned={takeScanned}
            onOpen={setOpenPictures}
          />
        )
      }
      describe={({ data }) => data && `${data.item.name} · ${data.item.salesCode}`}
      facts={
        unit ? (
          <>
            <RepairFacts unit={unit} waiting={waiting} partSn={row.sn} onPart={setPart}>
              {typeChoice}
            </RepairFacts>
            <RepairRows rows={draft.rows} onChange={(rows) => change({ rows })} />
          </>
        ) : (
          <UnitFacts sn={undefined} facts={[]} waiting={waiting} />
        )
      }
    />
  );
}

const nameOf = (items: readonly { value: string; name: string }[], value: string): string =>
  items.find((it) => it.value === value)?.name ?? '';

/** Fields whose label is filed under another name. */
const labels: Readonly<Record<string, string>> = { issueCodeIdList: 'codes', repairUrls: 'pictures' };

const isSame = (a: RepairRow, b: RepairRow): boolean => JSON.stringify(a) === JSON.stringify(b);
