import { useState } from 'react';
import { useTranslate } from 'ra-core';
import { useNotices } from '#app/notify.ts';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import { AssemblySlots, inputOf, noPart, type Parts, useInputLabel } from '#app/parts/AssemblySlots.tsx';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { BOARD_COUNT, partOf, validateParts, slotsOf } from '#domain/assembly.ts';
import { rebindSn } from './contract.ts';

interface Props {
  sn: string;
  onClose: () => void;
  onBound: () => void;
  /** Says large what is wrong, where there is a large line behind the dialog. */
  onWrong?: (text: string) => void;
}

/**
 * The parts of a device that leaves without any being known; cancelled, it leaves without. Whoever goes on scanning
 * devices behind it is not held up: the focus comes in with Tab, or when the device is scanned again. Rule: events#e27,
 * assembling#make-up.
 */
export function RebindDialog({ sn, onClose, onBound, onWrong }: Props) {
  const translate = useTranslate();
  const notices = useNotices();
  const { wordsOf, lineOf } = useProblemWords();
  const inputLabel = useInputLabel();
  const { submit, sending, problem } = useSubmit(rebindSn);
  const [boards, setBoards] = useState<number>(BOARD_COUNT);
  const [parts, setParts] = useState<Parts>({});
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const slots = slotsOf(boards);

  const save = async () => {
    const entered = slots.map((slot) => {
      const part = parts[slot.name] ?? noPart;
      return partOf(part.sn, slot.componentType, part.qrCode);
    });
    const found = validateParts(sn, entered);
    setProblems(Object.fromEntries(found.map((it) => [inputOf(slots, it.field), wordsOf(it)])));
    if (found.length > 0) return onWrong?.(lineOf(found, (field) => inputLabel(inputOf(slots, field))));
    const partsList = entered.map(({ componentType, ...it }) => ({ ...it, component_type: componentType }));
    if (!(await submit({ sn, partsList }))) return;
    notices.success(translate('stations.rebind.done', { sn }));
    onBound();
  };
  return (
    <ActionModal
      title={translate('stations.rebind.title', { sn })}
      action={translate('stations.rebind.do')}
      leave={translate('stations.rebind.leave')}
      sending={sending}
      problem={problem}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <div>{translate('stations.rebind.body')}</div>
      <AssemblySlots
        slots={slots}
        boards={boards}
        onBoards={setBoards}
        parts={parts}
        onChange={(it) => {
          setParts(it);
          setProblems({});
        }}
        problems={problems}
        deviceSn={sn}
      />
    </ActionModal>
  );
}
