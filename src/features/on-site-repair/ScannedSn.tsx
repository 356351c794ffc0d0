import { type KeyboardEvent, type Ref, useId, useRef, useState } from 'react';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useTranslate } from 'ra-core';
import { readSn } from '#app/parts/scan/labels.ts';
import { keyOf } from '#app/parts/scan/scanner.ts';
import { noRhythm } from '#app/parts/scan/rhythm.ts';
import { useRefusalWords } from '#app/parts/scan/useRefusal.ts';
import { createWedge } from '#app/parts/scan/wedge.ts';
import { besideLabelSx } from '#app/theme.ts';

/** What is shorter is no SN that a scanner has read. */
const SHORTEST = 6;
/** A slow scanner is not learnt: at what would then be its pace, a quick hand's letters were a scan as well. */
const anyScanner = { get: () => noRhythm, set: () => undefined };

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
  const [wedge] = useState(() => createWedge(anyScanner));
  const [isArmed, setArmed] = useState(false);
  const [isTorn, setTorn] = useState(false);

  const arm = () => {
    wedge.forget();
    setTorn(false);
    setArmed(true);
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, timeStamp: at, ctrlKey, altKey, metaKey, repeat: isRepeat } = event;
    if (!isArmed || ctrlKey || altKey || metaKey || key === 'Tab') return;
    event.preventDefault();
    // As a field for text: a hand's letters are no scan, however even.
    const told = wedge.press({ key: keyOf(event.nativeEvent), at, into: 'text', isRepeat }).at(-1);
    if (!told || told.text.length < SHORTEST) return;
    // A piece of an SN may be an SN as well, of another device.
    setTorn(told.kind === 'torn');
    if (told.kind === 'torn') return;
    setArmed(false);
    onChange(readSn(told.text));
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
            'data-armed': isArmed ? '' : undefined,
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
