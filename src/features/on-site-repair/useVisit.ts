import { useState } from 'react';
import type { ChosenCode } from '#app/parts/IssueCodeEntry.tsx';
import type { Parts } from '#app/parts/AssemblySlots.tsx';
import { emptyRow, type RepairRow } from '#app/parts/repair/RepairRecordForm.tsx';
import { usePersistedState } from '#app/parts/scan/usePersistedState.ts';
import { useStationScope } from '#app/parts/scan/useStationScope.ts';
import { type DraftChange, useDraft } from '#app/parts/useDraft.ts';
import type { InputOf } from '#domain/call.ts';
import type { Problem } from '#domain/refusal.ts';
import { normaliseNo } from '#domain/sn.ts';
import type { onSiteRepair } from './contract.ts';
import { validateVisit, validateVisitParts, visitPartOf, visitSlots } from './rules.ts';
import { noRecords, type RecordKind, type Records, useVisitRecords } from './useVisitRecords.ts';

/** What is entered for the device at hand. */
interface Draft {
  codes: readonly ChosenCode[];
  kind: RecordKind;
  component: Records;
  veneer: Records;
  parts: Parts;
}
const fresh: Draft = { codes: [], kind: 'component', component: noRecords, veneer: noRecords, parts: {} };

const isUntouched = ({ rows, row }: Records): boolean =>
  rows.length === 0 && JSON.stringify(row) === JSON.stringify(emptyRow);

/**
 * The bill that is worked on, and what is entered for a device of it; kept through a reload. The bill stays for the next
 * device. Rule: on-site-repair#submit.
 */
export function useVisit() {
  const scope = useStationScope('onSiteRepair-setting', '');
  const { value: bill, set: setBill } = usePersistedState(scope, 'mtbId', '');
  const [draft, setDraft, forgetDraft] = useDraft('onSiteRepair', 'visit', fresh);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const mtbId = normaliseNo(bill);

  const change = (part: DraftChange<Draft>) => {
    setProblems([]);
    setDraft(part);
  };
  const component = useVisitRecords('component', draft.component, (to) =>
    change((now) => ({ component: to(now.component) })),
  );
  const veneer = useVisitRecords('veneer', draft.veneer, (to) => change((now) => ({ veneer: to(now.veneer) })));

  /** What is submitted of this device, or the first thing that is wrong with it. */
  const close = (
    sn: string,
    labelOf: (slot: string) => string,
  ): { input: InputOf<typeof onSiteRepair> } | { problem: Problem | undefined } => {
    const refuse = (found: readonly Problem[]) => {
      setProblems(found);
      return { problem: found[0] };
    };
    // What is begun counts as well: nobody means to leave it behind.
    for (const entry of draft.kind === 'component' ? [component, veneer] : [veneer, component]) {
      if (entry.whole()) continue;
      if (entry.kind !== draft.kind) setDraft({ kind: entry.kind });
      return { problem: entry.problems[0] };
    }
    const [repaired, exchanged] = [component.whole() ?? [], veneer.whole() ?? []];
    const counts = { checkCodes: draft.codes.length, rows: repaired.length + exchanged.length };
    const missing = validateVisit({ mtbId, sn, ...counts });
    if (missing.length > 0) return refuse(missing);
    const [added] = [...component.validateAdded(), ...veneer.validateAdded()];
    if (added) return { problem: added };
    const wrongParts = validateVisitParts(sn, draft.parts);
    if (wrongParts.length > 0) return refuse(wrongParts);
    return {
      input: {
        mtbId,
        productSn: sn,
        checkIssueCodeIdList: draft.codes.map((it) => it.codeId),
        repairInfoList: repaired.map(toRepaired),
        ...(exchanged.length > 0 && { bomId: draft.veneer.bom?.bomid ?? null, partsList: exchanged.map(toVeneer) }),
        assembleInfoList: toAssembled(draft.parts, labelOf),
      },
    };
  };

  return {
    bill,
    mtbId,
    setBill: (no: string) => {
      setProblems([]);
      setBill(no);
    },
    draft,
    change,
    entry: draft.kind === 'component' ? component : veneer,
    close,
    problems,
    forgetProblems: () => setProblems([]),
    /** The next device begins anew. */
    forget: () => {
      setProblems([]);
      forgetDraft();
    },
    isUntouched:
      draft.codes.length === 0 &&
      isUntouched(draft.component) &&
      isUntouched(draft.veneer) &&
      Object.values(draft.parts).every((it) => it.sn === '' && it.qrCode === ''),
  };
}

const repairOf = ({
  repairMethod,
  repairMethodName,
  partsTypeName,
  codes,
  repairMarking,
  slot,
  ...row
}: RepairRow) => ({
  partsTypeName,
  repairMethod,
  repairMethodName,
  issueCodeName: codes.map((it) => it.name).join(','),
  repairMarking,
  slot,
  repairUrls: [...row.urls],
  spendItemDescription: row.spendItemDescription,
  spendItemCount: row.spendItemCount,
});
const toRepaired = (row: RepairRow) => ({
  componentSn: row.sn,
  componentType: row.partsType,
  repairIssueCodeIdList: row.codes.map((it) => it.codeId),
  ...repairOf(row),
});
const toVeneer = (row: RepairRow) => ({
  sn: row.sn,
  partsType: row.partsType,
  issueCodeIdList: row.codes.map((it) => it.codeId),
  ...repairOf(row),
});

/** The positions that something was entered for. */
const toAssembled = (parts: Parts, labelOf: (slot: string) => string) =>
  visitSlots.flatMap(({ name, componentType }) => {
    const part = visitPartOf(parts[name]?.sn ?? '', componentType, parts[name]?.qrCode ?? '');
    if (part.sn === '') return [];
    return [{ componentSn: part.sn, qrCodeNum: part.qrCodeNum, label: labelOf(name), name, componentType }];
  });
