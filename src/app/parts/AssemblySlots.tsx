import type { KeyboardEvent } from 'react';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useTranslate } from 'ra-core';
import { boardCounts, normaliseQrCode, qrCodeFor, type Slot } from '#domain/assembly.ts';
import { normaliseSn } from '#domain/sn.ts';
import { Choice } from '#app/parts/Choice.tsx';
import { isPlainEnter } from '#app/parts/enter.ts';
import { snInput } from '#app/parts/scan/labels.ts';
import { findVisible, findAllVisible } from '#app/parts/visibleElements.ts';

interface Part {
  sn: string;
  qrCode: string;
}

export type Parts = Readonly<Record<string, Part>>;
export const noPart: Part = { sn: '', qrCode: '' };

interface Props {
  slots: readonly Slot[];
  boards: number;
  /** Left out where the number of boards is given. */
  onBoards?: (boards: number) => void;
  parts: Parts;
  onChange: (parts: Parts) => void;
  /** What is wrong, by the name of the input: `power.sn`, `board1.qrCode`. */
  problems?: Readonly<Record<string, string>>;
  /** All of it may stay empty. */
  isOptional?: boolean;
}

/** The positions of a device: each with its part's SN, the boards with their QR code as well. Enter goes to the next. */
export function AssemblySlots({ slots, boards, onBoards, parts, onChange, problems = {}, isOptional = false }: Props) {
  const translate = useTranslate();
  const partOf = (slot: Slot) => parts[slot.name] ?? noPart;
  const setSn = (slot: Slot, text: string) => {
    const sn = text.toUpperCase();
    onChange({ ...parts, [slot.name]: { sn, qrCode: qrCodeFor(normaliseSn(sn), partOf(slot).qrCode) } });
  };
  const setQrCode = (slot: Slot, text: string) =>
    onChange({ ...parts, [slot.name]: { ...partOf(slot), qrCode: normaliseQrCode(text) } });
  const labelOf = useInputLabel();

  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 1 }}>
      {onBoards && (
        <Box sx={{ mb: 2 }}>
          <Choice
            label={translate('stations.slot.boards')}
            value={String(boards)}
            options={boardCounts.map((it) => ({ value: String(it), label: String(it) }))}
            onChange={(it) => onBoards(Number(it))}
          />
        </Box>
      )}
      {slots.map((slot) => (
        <Box
          key={slot.name}
          sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: 'minmax(0, 1fr) minmax(0, 1.4fr)' } }}
        >
          <TextField
            required={!isOptional}
            label={labelOf(`${slot.name}.sn`)}
            value={partOf(slot).sn}
            error={problems[`${slot.name}.sn`] !== undefined}
            helperText={problems[`${slot.name}.sn`] ?? ' '}
            onChange={(it) => setSn(slot, it.target.value)}
            slotProps={{ htmlInput: { ...snInput, 'data-scan': 'part', autoComplete: 'off', onKeyDown: toNext } }}
          />
          {slot.hasQrCode && (
            <TextField
              required={!isOptional}
              label={labelOf(`${slot.name}.qrCode`)}
              value={partOf(slot).qrCode}
              error={problems[`${slot.name}.qrCode`] !== undefined}
              helperText={problems[`${slot.name}.qrCode`] ?? ' '}
              onChange={(it) => setQrCode(slot, it.target.value)}
              slotProps={{ htmlInput: { 'data-scan': 'part', autoComplete: 'off', onKeyDown: toNext } }}
            />
          )}
        </Box>
      ))}
    </Box>
  );
}

/** What an input is called: `board1.qrCode`. */
export function useInputLabel(): (input: string) => string {
  const translate = useTranslate();
  return (input) => {
    const [slot = '', kind] = input.split('.');
    const name = slot.startsWith('board')
      ? translate('stations.slot.board', { number: slot.slice('board'.length) })
      : translate(`stations.slot.${slot}`);
    return kind === 'qrCode' ? translate('stations.slot.qrCode', { slot: name }) : name;
  };
}

/** The Enter of a scanner moves on to the next empty position, from the last one to what saves the dialog or the page, or to the scan field. */
function toNext(event: KeyboardEvent<HTMLInputElement>): void {
  if (!isPlainEnter(event)) return;
  event.preventDefault();
  const fields = findAllVisible<HTMLInputElement>('input[data-scan=part]');
  const here = fields.indexOf(event.currentTarget);
  const next = fields.slice(here + 1).find((it) => it.value === '');
  const save = event.currentTarget.form?.querySelector<HTMLElement>('button[type=submit]');
  (next ?? save ?? findVisible('input[data-scan=field]') ?? findVisible('[data-primary]'))?.focus();
}

/** `partsList.2.qrCodeNum` of a rule is `board1.qrCode` on the screen. */
export function inputOf(slots: readonly Slot[], field = ''): string {
  const [, index, name] = field.split('.');
  return `${slots[Number(index)]?.name}.${name === 'qrCodeNum' ? 'qrCode' : 'sn'}`;
}
