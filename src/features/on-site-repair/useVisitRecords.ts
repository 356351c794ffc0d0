import { useState } from 'react';
import { emptyRow, focusOn, type RepairRow } from '#app/parts/repair/RepairRecordForm.tsx';
import { useBaseData } from '#app/parts/useLookup.ts';
import { IssueCategory } from '#domain/issueCode.ts';
import { allPartsTypes, allRepairMethods, loadIssueCodeList, queryBomItemByBomId } from '#domain/lookups.ts';
import type { Problem } from '#domain/refusal.ts';
import { normaliseSn } from '#domain/sn.ts';
import type { Bom } from './BomSearch.tsx';
import { validateVisitRow, visitCountOf, visitPartsTypes, visitSlotsOf } from './rules.ts';

/** What kind of repair is recorded: of the parts of a device, or of veneers with the slots of a bill of material. */
export type RecordKind = 'component' | 'veneer';

/** The records of one kind, the one that is being written, and the bill of material that its slots are of. */
export interface Records {
  rows: readonly RepairRow[];
  row: RepairRow;
  bom: Bom | null;
}
export const noRecords: Records = { rows: [], row: emptyRow, bom: null };

const isSame = (a: RepairRow, b: RepairRow): boolean => JSON.stringify(a) === JSON.stringify(b);

interface Named {
  value: string;
  name: string;
}
const nameOf = (all: readonly Named[], value: string) => all.find((it) => it.value === value)?.name ?? '';

/** What was repaired on the device, of one kind. Rule: on-site-repair#records, on-site-repair#veneers. */
export function useVisitRecords(
  kind: RecordKind,
  records: Records,
  onChange: (change: (now: Records) => Records) => void,
) {
  const [shownProblems, setShownProblems] = useState<readonly Problem[]>([]);
  const partsTypes = (useBaseData(allPartsTypes, {}).data?.items ?? []).filter((it) =>
    visitPartsTypes.includes(it.value),
  );
  const methods = useBaseData(allRepairMethods, {}).data?.items ?? [];
  const codes = useBaseData(loadIssueCodeList, { billType: IssueCategory.Repair }).data?.issueCodeList ?? [];
  const { bom, row, rows } = records;
  // As they were last, where there is no network.
  const slots = useBaseData(queryBomItemByBomId, { bomId: bom?.bomid ?? '' }, { enabled: bom !== null }).data?.items;
  const known = {
    repairMethods: methods.map((it) => it.value),
    slots: kind === 'veneer' ? new Set((slots ?? []).map((it) => it.location.toUpperCase())) : null,
  };
  const problems = validateVisitRow(row, known);

  const change = (to: (now: Records) => Records) => {
    setShownProblems([]);
    onChange(to);
  };
  /** All rows with the one that is written; nothing where that one can't stay so, which is told. */
  const withRow = (): readonly RepairRow[] | undefined => {
    if (problems.length > 0) {
      setShownProblems(problems);
      focusOn(problems);
      return undefined;
    }
    const added: RepairRow = {
      ...row,
      sn: normaliseSn(row.sn),
      slot: visitSlotsOf(row.slot).join(','),
      spendItemCount: visitCountOf(row),
      partsTypeName: nameOf(partsTypes, row.partsType),
      repairMethodName: nameOf(methods, row.repairMethod),
    };
    return [...rows, added];
  };
  const add = () => {
    const all = withRow();
    if (all) change((now) => ({ ...now, rows: all, row: emptyRow }));
  };
  return {
    kind,
    records,
    change,
    add,
    problems,
    shownProblems,
    partsTypes,
    methods,
    codes,
    slots: bom === null ? undefined : slots,
    /** The rows as they are meant by who submits: one that is begun counts as well. */
    whole: (): readonly RepairRow[] | undefined => (isSame(row, emptyRow) ? rows : withRow()),
    /** What is wrong with rows that were added: another bill of material may have been chosen since. */
    validateAdded: (): Problem[] => rows.flatMap((it) => validateVisitRow(it, known)),
  };
}
