import { type KeyboardEvent, useState } from 'react';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useTranslate } from 'ra-core';
import { boardCounts, normaliseQrCode, partOf, qrCodeFor, type Slot, validatePosition } from '#domain/assembly.ts';
import { NO_PART, normaliseSn } from '#domain/sn.ts';
import { Choice } from '#app/parts/Choice.tsx';
import { isPlainEnter } from '#app/parts/enter.ts';
import { snInput } from '#app/parts/scan/labels.ts';
import { useShowError } from '#app/parts/scan/stationLine.ts';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
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
  /** The device that they are of: none of them is the device itself. */
  deviceSn?: string;
  /** A part's SN was entered, and nothing is wrong with it by itself. */
  onEntered?: (slot: Slot, sn: string) => void;
}

/**
 * The positions of a device: each with its part's SN, the boards with their QR code as well. What is entered is judged at
 * its Enter: what can't stay keeps the focus, selected, else the next one has it. Rule: assembling#judging.
 */
export function AssemblySlots(props: Props) {
  const {
    slots,
    boards,
    onBoards,
    parts,
    onChange,
    problems = {},
    isOptional = false,
    deviceSn = '',
    onEntered,
  } = props;
  const translate = useTranslate();
  const showError = useShowError();
  const { wordsOf } = useProblemWords();
  /** What was found wrong when it was entered, by the name of the input. */
  const [judged, setJudged] = useState<Readonly<Record<string, string>>>({});
  const at = (slot: Slot) => parts[slot.name] ?? noPart;
  const put = (slot: Slot, part: Part, input: string) => {
    setJudged(({ [input]: _, ...others }) => others);
    onChange({ ...parts, [slot.name]: part });
  };
  const setSn = (slot: Slot, text: string) => {
    const sn = text.toUpperCase();
    put(slot, { sn, qrCode: qrCodeFor(normaliseSn(sn), at(slot).qrCode) }, `${slot.name}.sn`);
  };
  const setQrCode = (slot: Slot, text: string) =>
    put(slot, { ...at(slot), qrCode: normaliseQrCode(text) }, `${slot.name}.qrCode`);
  const labelOf = useInputLabel();
  const wrongAt = (input: string) => problems[input] ?? judged[input];

  const onEnter = (slot: Slot, name: 'sn' | 'qrCode') => (event: KeyboardEvent<HTMLInputElement>) => {
    if (!isPlainEnter(event)) return;
    event.preventDefault();
    const field = event.currentTarget;
    // As it stands there now: what a scan has put there may not be drawn yet.
    const entered = slots.map((it) => {
      const { sn, qrCode }: Part = { ...at(it), ...(it === slot && { [name]: field.value }) };
      return partOf(sn, it.componentType, qrCode);
    });
    const i = slots.indexOf(slot);
    const [problem] = validatePosition(deviceSn, entered, i, name === 'sn' ? 'sn' : 'qrCodeNum');
    if (problem) {
      const why = wordsOf(problem);
      setJudged((now) => ({ ...now, [`${slot.name}.${name}`]: why }));
      showError(why);
      return field.select();
    }
    const { sn = '' } = entered[i] ?? {};
    if (name === 'sn' && sn !== '' && sn !== NO_PART) onEntered?.(slot, sn);
    toNext(field);
  };

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
            value={at(slot).sn}
            error={wrongAt(`${slot.name}.sn`) !== undefined}
            helperText={wrongAt(`${slot.name}.sn`) ?? ' '}
            onChange={(it) => setSn(slot, it.target.value)}
            slotProps={{
              htmlInput: {
                ...{ ...snInput, 'data-scan': 'part', 'data-field': `${slot.name}.sn`, autoComplete: 'off' },
                onKeyDown: onEnter(slot, 'sn'),
              },
            }}
          />
          {slot.hasQrCode && (
            <TextField
              required={!isOptional}
              label={labelOf(`${slot.name}.qrCode`)}
              value={at(slot).qrCode}
              error={wrongAt(`${slot.name}.qrCode`) !== undefined}
              helperText={wrongAt(`${slot.name}.qrCode`) ?? ' '}
              onChange={(it) => setQrCode(slot, it.target.value)}
              slotProps={{
                htmlInput: {
                  ...{ 'data-scan': 'part', 'data-field': `${slot.name}.qrCode`, autoComplete: 'off' },
                  onKeyDown: onEnter(slot, 'qrCode'),
                },
              }}
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

const isOpen = (it: HTMLInputElement) => it.value === '' || it.getAttribute('aria-invalid') === 'true';
const positions = () => findAllVisible<HTMLInputElement>('input[data-scan=part]');

/** The first position that is empty or refused. */
export const findOpenPosition = (): HTMLInputElement | undefined => positions().find(isOpen);

/** The Enter of a scanner moves on to the next open position, from the last one to what saves the dialog or the page, or to the scan field. */
function toNext(field: HTMLInputElement): void {
  const fields = positions().filter((it) => it === field || isOpen(it));
  const here = fields.indexOf(field);
  const next = fields[here + 1] ?? fields.slice(0, here)[0];
  const save = field.form?.querySelector<HTMLElement>('button[type=submit]');
  (next ?? save ?? findVisible('input[data-scan=field]') ?? findVisible('[data-primary]'))?.focus();
}

/** `partsList.2.qrCodeNum` of a rule is `board1.qrCode` on the screen. */
export function inputOf(slots: readonly Slot[], field = ''): string {
  const [, index, name] = field.split('.');
  return `${slots[Number(index)]?.name}.${name === 'qrCodeNum' ? 'qrCode' : 'sn'}`;
}
