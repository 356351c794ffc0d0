import { type KeyboardEvent, type Ref, useId, useRef, useState } from 'react';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useTranslate } from 'ra-core';
import { isEnter } from '#app/parts/enter.ts';
import { readSn } from '#app/parts/scan/labels.ts';
import { useRefusalWords } from '#app/parts/scan/useRefusal.ts';
import { besideLabelSx } from '#app/theme.ts';

/** No hand writes letters so close to each other, in milliseconds. */
const SCANNER_GAP = 50;
/** What is shorter is no SN that a scanner has read. */
const SHORTEST = 6;
/** So long after other letters, in milliseconds, what comes may be the rest of a label that was read in pieces. */
const REST = 1500;

/** The letters that came close to each other, and when the last key did. */
interface Burst {
  text: string;
  at: number;
  isRest: boolean;
}
const nothing: Burst = { text: '', at: -Infinity, isRest: false };

interface Props {
  /** The button that makes it ready for a scan. */
  button?: Ref<HTMLButtonElement>;
  value: string;
  problem?: string | undefined;
  onChange: (sn: string) => void;
}

/**
 * The SN of the device that is at hand: it comes from a scanner alone, once the scan button has been pressed. What is
 * typed or pasted is not taken.
 */
export function ScannedSn({ button, value, problem, onChange }: Props) {
  const translate = useTranslate();
  const refusalOf = useRefusalWords();
  const hintId = useId();
  const field = useRef<HTMLInputElement>(null);
  const burst = useRef(nothing);
  const [isArmed, setArmed] = useState(false);
  const [isTorn, setTorn] = useState(false);

  const arm = () => {
    burst.current = nothing;
    setTorn(false);
    setArmed(true);
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, timeStamp: at, ctrlKey, altKey, metaKey } = event;
    if (!isArmed || ctrlKey || altKey || metaKey || key === 'Shift' || key === 'Tab') return;
    event.preventDefault();
    const { text, at: before, isRest: wasRest } = burst.current;
    const isClose = at - before <= SCANNER_GAP;
    const isRest = isClose ? wasRest : text !== '' && at - before < REST;
    burst.current = key.length === 1 ? { text: isClose ? text + key : key, at, isRest } : { ...nothing, at };
    if (!isEnter(event) || text.length < SHORTEST) return;
    // A piece of an SN may be an SN as well, of another device.
    const isWhole = isClose && !wasRest;
    setTorn(!isWhole);
    if (!isWhole) return;
    setArmed(false);
    onChange(readSn(text));
  };

  return (
    <Box sx={{ display: 'flex', gap: 2, alignItems: 'flex-start', flexWrap: 'wrap' }}>
      <TextField
        required
        label={translate('bills.onSite.deviceSn')}
        value={value}
        inputRef={field}
        error={problem !== undefined || isTorn}
        helperText={
          <span id={hintId} role="status">
            {problem ??
              (isTorn
                ? refusalOf('torn', value)
                : translate(isArmed ? 'bills.onSite.scanNow' : 'bills.onSite.scanOnly'))}
          </span>
        }
        onBlur={() => setArmed(false)}
        sx={{ width: { xs: '100%', sm: 320 } }}
        slotProps={{
          htmlInput: {
            readOnly: true,
            onKeyDown,
            'data-scan': 'only',
            'data-field': 'productSn',
            autoComplete: 'off',
            'aria-describedby': hintId,
          },
        }}
      />
      <Button
        ref={button}
        size="medium"
        variant={isArmed ? 'contained' : 'outlined'}
        aria-pressed={isArmed}
        onClick={arm}
        sx={besideLabelSx}
      >
        {translate('bills.onSite.scan')}
      </Button>
      <Button size="medium" disabled={value === ''} onClick={() => onChange('')} sx={besideLabelSx}>
        {translate('stations.clear')}
      </Button>
    </Box>
  );
}
