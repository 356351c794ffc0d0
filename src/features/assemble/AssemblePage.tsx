import { useEffect, useState } from 'react';
import Button from '@mui/material/Button';
import { useTranslate } from 'ra-core';
import {
  AssemblySlots,
  findOpenPosition,
  inputOf,
  noPart,
  type Parts,
  useInputLabel,
} from '#app/parts/AssemblySlots.tsx';
import { useReasonOf } from '#app/notify.ts';
import { Panel } from '#app/parts/Facts.tsx';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import { usePartFacts } from '#app/parts/usePartFacts.ts';
import type { PageProps } from '#app/parts/page.ts';
import { isWithoutVerdict } from '#app/parts/scan/answers.ts';
import { scanInto } from '#app/parts/scan/scanner.ts';
import { ScanStation } from '#app/parts/scan/ScanStation.tsx';
import { isWaiting } from '#app/parts/scan/scanQueue.ts';
import { type StationView, useStation } from '#app/parts/scan/useStation.ts';
import { SIMPLE_TAB } from '#app/parts/StationTabs.tsx';
import { UnitFacts } from '#app/parts/UnitFacts.tsx';
import { useDraft } from '#app/parts/useDraft.ts';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { send } from '#app/send.ts';
import { BOARD_COUNT, boardCounts, partOf, validateParts, type Slot, slotsOf } from '#domain/assembly.ts';
import type { DataOf, InputOf } from '#domain/call.ts';
import { normaliseSn } from '#domain/sn.ts';
import { assemble, validatePart, validateSn } from './contract.ts';
import { findVisible } from '#app/parts/visibleElements.ts';

type Unit = DataOf<typeof validateSn>;
interface AssembleDraft {
  boards: number | null;
  parts: Parts;
}
const oneTab = { value: SIMPLE_TAB, tabs: [SIMPLE_TAB] };
const fresh: AssembleDraft = { boards: null, parts: {} };

/** A device is put together from its power, its controls and its boards. Rule: assembling#positions. */
export default function AssemblePage({ menuNo }: PageProps) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const partFacts = usePartFacts();
  const { wordsOf, lineOf } = useProblemWords();
  const inputLabel = useInputLabel();
  const reasonOf = useReasonOf();
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  /** Counts what was filled in by the button. */
  const [taken, setTaken] = useState(0);
  const station: StationView<Unit, InputOf<typeof assemble>> = useStation<
    Unit,
    InputOf<typeof assemble>,
    DataOf<typeof assemble>
  >({
    name: 'assemble',
    limit: 1,
    isFollowed: true,
    // Nothing is the next device while a position of this one is empty or refused.
    onText: (text): boolean => {
      const field = current && findOpenPosition();
      if (field) scanInto(field, text);
      return field !== undefined;
    },
    check: (sn) => send(validateSn, { sn }),
    submit: (input, key) => send(assemble, input, { key }),
    onSubmitted: () => {
      setProblems({});
      forget();
    },
    successText: ({ sn, nextNode }) => translate('stations.assemble.told', { sn, where: labelOf('nodes', nextNode) }),
  });
  const current = station.accepted[0];
  const unit = current?.data;
  const [draft, change, forget] = useDraft('assemble', current?.sn, fresh);
  const boards = draft.boards ?? boardCounts.find((it) => it === unit?.item.boardCount) ?? BOARD_COUNT;
  const slots = slotsOf(boards);
  const bound = unit ? boundTo(slots, unit) : {};

  const scanKey = current?.key;
  // Only a new device moves the focus, and the parts that were taken over.
  useEffect(() => {
    if (scanKey !== undefined) findOpenPosition()?.focus();
  }, [scanKey, taken]);

  /** What the server has against a part is told as soon as it is known; without an answer it is said of the whole device. */
  const askAbout = async ({ name }: Slot, componentSn: string) => {
    if (!current) return;
    try {
      await send(validatePart, { sn: current.sn, componentSn });
    } catch (error) {
      const input = `${name}.sn`;
      const field = findVisible<HTMLInputElement>(`[data-field="${input}"]`);
      if (isWithoutVerdict(error) || !field || normaliseSn(field.value) !== componentSn) return;
      const why = reasonOf(error);
      setProblems((now) => ({ ...now, [input]: why }));
      station.actions.showVerdict({ kind: 'wrong', sn: componentSn, text: why });
      field.focus();
      field.select();
    }
  };
  const takeBound = () => {
    const entered = Object.entries(draft.parts).filter(([, it]) => it.sn !== '');
    change({ parts: { ...bound, ...Object.fromEntries(entered) } });
    setTaken((now) => now + 1);
  };
  const press = () => {
    if (!current) return station.actions.showVerdict({ kind: 'wrong', sn: '', text: translate('stations.scanMsg') });
    const parts = slots.map((slot) => {
      const { sn, qrCode } = draft.parts[slot.name] ?? noPart;
      return partOf(sn, slot.componentType, qrCode);
    });
    const found = validateParts(current.sn, parts);
    setProblems(Object.fromEntries(found.map((it) => [inputOf(slots, it.field), wordsOf(it)])));
    if (found.length > 0) {
      const text = lineOf(found, (field) => inputLabel(inputOf(slots, field)));
      return station.actions.showVerdict({ kind: 'wrong', sn: current.sn, text });
    }
    const partsList = parts.map(({ sn, componentType, qrCodeNum }) => ({
      sn,
      component_type: componentType,
      qrCodeNum,
    }));
    station.actions.submit({ sn: current.sn, partsList }, [current.key]);
  };

  return (
    <ScanStation
      menuNo={menuNo}
      title={translate('stations.assemble.title')}
      station={station}
      primary={{ label: translate('stations.assemble.do'), press }}
      tabs={oneTab}
      work={
        current && (
          <Panel
            title={translate('stations.assemble.parts')}
            action={
              Object.keys(bound).length > 0 && (
                <Button onClick={takeBound}>{translate('stations.assemble.takeBound')}</Button>
              )
            }
          >
            <AssemblySlots
              slots={slots}
              boards={boards}
              onBoards={(count) => change({ boards: count })}
              parts={draft.parts}
              onChange={(parts) => {
                change({ parts });
                setProblems((now) => withoutChanged(now, draft.parts, parts));
              }}
              problems={problems}
              deviceSn={current.sn}
              onEntered={(slot, sn) => void askAbout(slot, sn)}
            />
          </Panel>
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
            ...partFacts(unit?.boundParts ?? []),
          ]}
        />
      }
    />
  );
}

/** What was said of a position holds until something else stands there. */
const withoutChanged = (problems: Readonly<Record<string, string>>, before: Parts, after: Parts) =>
  Object.fromEntries(
    Object.entries(problems).filter(([input]) => {
      const [slot = '', name] = input.split('.');
      const [was = noPart, is = noPart] = [before[slot], after[slot]];
      return name === 'qrCode' ? was.qrCode === is.qrCode : was.sn === is.sn;
    }),
  );

/** The parts that the device had before, each at a position of its kind. */
function boundTo(slots: readonly Slot[], unit: Unit): Parts {
  const left = [...unit.boundParts];
  const parts: Record<string, { sn: string; qrCode: string }> = {};
  for (const slot of slots) {
    const at = left.findIndex((it) => it.componentType === slot.componentType);
    const [part] = at < 0 ? [] : left.splice(at, 1);
    if (part) parts[slot.name] = { sn: part.componentSn, qrCode: part.qrCodeNum ?? '' };
  }
  return parts;
}
