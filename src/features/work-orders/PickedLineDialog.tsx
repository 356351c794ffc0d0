import { useState } from 'react';
import { useTranslate } from 'ra-core';
import Checkbox from '@mui/material/Checkbox';
import TextField from '@mui/material/TextField';
import { groupedCount } from '#app/fields/format.ts';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import { LotTable } from '#app/parts/LotTable.tsx';
import { NumberField } from '#app/parts/NumberField.tsx';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import { countIn } from '#domain/numberText.ts';
import { inputOf } from '#domain/wafer.ts';
import { isUnseen } from '#domain/signs.ts';
import { PROGRAM_LENGTH, type SelectedLot } from './rules.ts';

interface Props {
  name: string;
  /** The pieces of one line, or of one group. */
  pieces: readonly SelectedLot[];
  isFt: boolean;
  onSave: (pieces: readonly SelectedLot[]) => void;
  onClose: () => void;
}

/** A line in place: how much of each wafer or bin goes in, and which of them at all. Rule: wafer-bank#drafts. */
export function PickedLineDialog({ name, pieces, isFt, onSave, onClose }: Props) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const [entered, setEntered] = useState<readonly string[]>(pieces.map((it) => String(it.inputQty)));
  const [isOut, setIsOut] = useState<readonly boolean[]>(pieces.map(() => false));
  const [program, setProgram] = useState(pieces[0]?.ftTestProgram ?? '');
  const words = (word: string) => translate(`bills.order.${word}`);
  const put = <T,>(all: readonly T[], at: number, value: T) => all.map((it, i) => (i === at ? value : it));
  const lacksProgram = isFt && isUnseen(program);

  const save = () => {
    const changed = pieces.map((it, i) => {
      const all = it.inputQty + it.remainQty;
      const inputQty = inputOf(countIn(entered[i] ?? ''), all);
      return { ...it, inputQty, remainQty: all - inputQty, ...(isFt && { ftTestProgram: program.trim() }) };
    });
    onSave(changed.filter((_, i) => !isOut[i]));
    onClose();
  };
  return (
    <ActionModal
      width="normal"
      title={translate('bills.order.editLine', { name })}
      action={translate('bills.order.keep')}
      disabled={lacksProgram || entered.some((it, i) => !isOut[i] && Number.isNaN(countIn(it)))}
      onSubmit={save}
      onClose={onClose}
    >
      {isFt && (
        <TextField
          required
          label={words('program')}
          value={program}
          error={lacksProgram}
          onChange={(it) => setProgram(it.target.value)}
          slotProps={{ htmlInput: { maxLength: PROGRAM_LENGTH } }}
        />
      )}
      <LotTable
        label={words('wafers')}
        numbers={[2]}
        heads={['', words(isFt ? 'bin' : 'waferIds'), words('chips'), words('input')]}
      >
        {pieces.map((it, i) => {
          const all = it.inputQty + it.remainQty;
          const piece = isFt ? `${it.waferLotId} ${labelOf('lotBins', it.piece)}` : it.piece;
          return (
            <tr key={`${it.wipId}/${it.piece}`}>
              <td>
                <Checkbox
                  size="small"
                  sx={{ p: 0.5 }}
                  checked={!isOut[i]}
                  onChange={(_, isIn) => setIsOut(put(isOut, i, !isIn))}
                  slotProps={{ input: { 'aria-label': piece } }}
                />
              </td>
              <td>{piece}</td>
              <td className="number">{groupedCount(all)}</td>
              <td>
                <NumberField
                  place="unseen"
                  width={112}
                  label={`${words('input')} ${piece}`}
                  disabled={isOut[i] ?? false}
                  value={entered[i] ?? ''}
                  onChange={(typed) => setEntered(put(entered, i, capped(typed, all)))}
                  htmlInput={{ placeholder: String(all) }}
                />
              </td>
            </tr>
          );
        })}
      </LotTable>
    </ActionModal>
  );
}

/** No more than there is. Rule: wafer-bank#taking. */
export const capped = (typed: string, most: number): string => (countIn(typed) > most ? String(most) : typed);
