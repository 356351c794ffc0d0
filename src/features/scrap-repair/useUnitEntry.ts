import { useRef, useState } from 'react';
import { useTranslate } from 'ra-core';
import { inputOf, noPart, type Parts } from '#app/parts/AssemblySlots.tsx';
import type { ChosenCode } from '#app/parts/IssueCodeEntry.tsx';
import { emptyRow, focusOn, validateRow, type RepairRow } from '#app/parts/repair/RepairRecordForm.tsx';
import { classifyError } from '#app/parts/scan/answers.ts';
import type { StationView } from '#app/parts/scan/useStation.ts';
import { type DraftChange, useDraft } from '#app/parts/useDraft.ts';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { useReasonOf } from '#app/notify.ts';
import { findVisible } from '#app/parts/visibleElements.ts';
import { send } from '#app/send.ts';
import { partOf } from '#domain/assembly.ts';
import type { DataOf, InputOf } from '#domain/call.ts';
import type { Problem } from '#domain/refusal.ts';
import { spendCountOf } from '#domain/repairRecord.ts';
import { normaliseSn } from '#domain/sn.ts';
import { attemptAccept, type outsourcingAccept, type validateSnForAccept } from './contract.ts';
import { acceptSlots, rolesOf, stillScanned, validateAccepted, type AcceptedUnit } from './rules.ts';

type Input = InputOf<typeof outsourcingAccept>;
type Item = InputOf<typeof attemptAccept>['item'];

/** What is entered for a unit besides its SNs. */
interface Entered {
  codes: readonly ChosenCode[];
  rows: readonly RepairRow[];
  /** The record that is being written; null while it is as it was proposed. */
  row: RepairRow | null;
  parts: Parts;
}
export interface AddedUnit extends Entered {
  productSn: string;
  assistSns: readonly string[];
}
interface Draft extends Entered {
  units: readonly AddedUnit[];
}
const nothing: Entered = { codes: [], rows: [], row: null, parts: {} };
const fresh: Draft = { ...nothing, units: [] };

interface Named {
  value: string;
  name: string;
}

/**
 * The unit that is entered, and those that were added; kept through a reload. A unit is asked about when it is added:
 * what the server refuses is told, and all that was entered stays. Without a network it is added and judged with the
 * submit. Rule: scrap-repair#units.
 */
export function useUnitEntry(
  srbId: string,
  station: Pick<StationView<DataOf<typeof validateSnForAccept>, Input>, 'accepted' | 'actions'>,
  { partsTypes, methods }: { partsTypes: readonly Named[]; methods: readonly Named[] },
) {
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  const { wordsOf, lineOf } = useProblemWords();
  const [draft, setDraft, forget] = useDraft('outsourcingAccept', srbId || undefined, fresh);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [rowProblems, setRowProblems] = useState<readonly Problem[]>([]);
  const [isAdding, setAdding] = useState(false);
  const isAsking = useRef(false);
  const { showVerdict } = station.actions;

  const scanned = station.accepted.map((it) => it.sn);
  const units = stillScanned(draft.units, scanned);
  const { productSn, assistSns } = rolesOf(units, scanned);
  const main = station.accepted.find((it) => it.sn === productSn)?.data;
  const proposed: RepairRow = { ...emptyRow, codes: draft.rows.length === 0 ? draft.codes : [] };
  const row = draft.row ?? proposed;

  const change = (part: DraftChange<Draft>) => {
    setProblems([]);
    setRowProblems([]);
    setDraft(part);
  };
  const changeRow = (to: (now: RepairRow) => RepairRow) => change((now) => ({ row: to(now.row ?? proposed) }));
  const wrong = (text: string) => showVerdict({ kind: 'wrong', sn: productSn, text });

  /** The records with the one that is being written; nothing where that can't stay so, which is told. */
  const withRow = (): readonly RepairRow[] | undefined => {
    const found = validateRow(row, null);
    if (found.length > 0) {
      setRowProblems(found);
      focusOn(found);
      return void wrong(lineOf(found, (field) => translate(`stations.repair.${rowLabels[field] ?? field}`)));
    }
    const nameOf = (all: readonly Named[], value: string) => all.find((it) => it.value === value)?.name ?? '';
    const named = {
      ...row,
      sn: normaliseSn(row.sn),
      replaceSn: normaliseSn(row.replaceSn),
      spendItemCount: spendCountOf(row),
      partsTypeName: nameOf(partsTypes, row.partsType),
      repairMethodName: nameOf(methods, row.repairMethod),
    };
    return [...draft.rows, named];
  };
  const addRow = () => {
    const rows = withRow();
    if (rows) change({ rows, row: null });
  };

  /** Adds the unit beside the others, if it is whole and the server has nothing against it. */
  const add = async () => {
    if (isAsking.current) return;
    const isOpen = draft.row !== null && JSON.stringify(draft.row) !== JSON.stringify(proposed);
    const rows = isOpen ? withRow() : draft.rows;
    if (!rows) return;
    if (isOpen) change({ rows, row: null });
    const unit: AddedUnit = { productSn, assistSns, codes: draft.codes, rows, row: null, parts: draft.parts };
    const found = validateAccepted(toAccepted(unit), units.map(toAccepted));
    setProblems(found);
    const [first] = found;
    if (first) return wrong(wordsOf(first));
    isAsking.current = true;
    setAdding(true);
    try {
      await send(attemptAccept, { srbId, item: toItem(unit) });
    } catch (error) {
      const kind = classifyError(error);
      if (kind !== 'kept') {
        findVisible<HTMLInputElement>('input[data-scan=field]')?.focus();
        return showVerdict({ kind, sn: productSn, text: reasonOf(error) });
      }
    } finally {
      isAsking.current = false;
      setAdding(false);
    }
    setDraft((now) => ({ ...nothing, units: [...now.units, unit] }));
    showVerdict({ kind: 'ok', sn: productSn, text: translate('bills.scrapRepair.added', { sn: productSn }) });
  };

  const assembly = Object.fromEntries(
    problems
      .filter((it) => it.field?.startsWith('assembleInfoList.'))
      .map((it) => [inputOf(acceptSlots, it.field), wordsOf(it)]),
  );
  return {
    units,
    productSn,
    assistSns,
    main,
    draft,
    row,
    rowProblems,
    change,
    changeRow,
    addRow,
    add,
    isAdding,
    /** Which input of the assembly is wrong, and why. */
    assembly,
    problemOf: (field: string) => {
      const found = problems.find((it) => it.field === field);
      return found && wordsOf(found);
    },
    list: units.map(toItem),
    accepted: units.map(toAccepted),
    unused: scanned.filter((it) => !units.some((unit) => unit.productSn === it || unit.assistSns.includes(it))),
    removeUnit: (sn: string) => change((now) => ({ units: now.units.filter((it) => it.productSn !== sn) })),
    forget,
  };
}

/** Fields whose label is filed under another name. */
const rowLabels: Readonly<Record<string, string>> = { issueCodeIdList: 'codes', repairUrls: 'pictures' };

const partsOf = ({ parts }: Pick<Entered, 'parts'>) =>
  acceptSlots.map((slot) => {
    const { sn, qrCode } = parts[slot.name] ?? noPart;
    return partOf(sn, slot.componentType, qrCode);
  });

const toAccepted = (unit: AddedUnit): AcceptedUnit => ({
  productSn: unit.productSn,
  assistSns: unit.assistSns,
  checkCodes: unit.codes.length,
  repairs: unit.rows,
  parts: partsOf(unit),
});

const toItem = (unit: AddedUnit): Item => ({
  productSn: unit.productSn,
  checkIssueCodeIdList: unit.codes.map((it) => it.codeId),
  repairInfoList: unit.rows.map(({ codes, urls, ...it }) => ({
    ...it,
    issueCodeIdList: codes.map((code) => code.codeId),
    issueCodeName: codes.map((code) => code.name).join(','),
    repairUrls: [...urls],
  })),
  assembleInfoList: partsOf(unit).map(({ sn, componentType, qrCodeNum }) => ({
    sn,
    component_type: componentType,
    qrCodeNum,
  })),
  assistSnList: [...unit.assistSns],
});
