import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useTranslate } from 'ra-core';
import { isPlainEnter } from '#app/parts/enter.ts';
import { useShowError } from '#app/parts/scan/stationLine.ts';
import { findVisible } from '#app/parts/visibleElements.ts';
import { besideLabelSx } from '#app/theme.ts';
import { plainText } from '#domain/sn.ts';

interface Props {
  label: string;
  /** The number that was loaded before a reload; arrives a little later than the page. */
  initial: string;
  /** Whether the bill of the number is there. */
  isLoaded: boolean;
  isLoading: boolean;
  /** Whether one was left here is not known yet: nothing that is scanned meanwhile is a number. */
  isUnread: boolean;
  /** Loads a bill; gives why it could not, or nothing. */
  onLoad: (no: string) => Promise<string>;
}

/**
 * Loads the bill that is worked on by the number on its parcel. Until it is there the focus waits here; from Enter on
 * it is on the scan field, so that SNs can be scanned while the bill is still on its way.
 */
export function BillLoader({ label, initial, isLoaded, isLoading, isUnread, onLoad }: Props) {
  const translate = useTranslate();
  const showError = useShowError();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState<string | null>(null);
  const [problem, setProblem] = useState('');
  const value = text ?? initial;

  const load = async (no: string) => {
    if (isLoading) return;
    // Not in capitals: a waybill may be kept as somebody wrote it, and is found so.
    const plain = plainText(no);
    if (plain !== no) setText(plain);
    const loading = onLoad(plain);
    findVisible<HTMLInputElement>('input[data-scan=field]')?.focus();
    const why = await loading;
    setProblem(why);
    if (why !== '') showError(why);
  };
  useEffect(() => {
    if (problem === '') return;
    input.current?.focus();
    input.current?.select();
  }, [problem]);

  const isFirst = !isLoaded && !isLoading && !isUnread;
  useEffect(() => {
    const at = document.activeElement;
    const isFree =
      at === document.body || (at instanceof HTMLInputElement && at.dataset['scan'] === 'field' && at.value === '');
    if (isFirst && isFree) input.current?.focus();
  }, [isFirst]);
  // One that was left here has come by itself, and nobody has written here: what is scanned next is an SN.
  useEffect(() => {
    const isHere = document.activeElement === input.current;
    if (isLoaded && isHere && text === null) findVisible<HTMLInputElement>('input[data-scan=field]')?.focus();
  }, [isLoaded, text]);

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (!isPlainEnter(event)) return;
    event.preventDefault();
    // What is scanned over a number replaces it within this very event.
    void load(event.currentTarget.value);
  };
  return (
    <Box sx={{ display: 'flex', gap: 2, alignItems: 'flex-start' }}>
      <TextField
        label={label}
        value={value}
        inputRef={input}
        onChange={(it) => {
          setText(it.target.value);
          setProblem('');
        }}
        error={problem !== ''}
        helperText={problem || (isLoaded ? translate('stations.loaded') : ' ')}
        slotProps={{
          htmlInput: {
            'data-scan': 'number',
            'data-first': isFirst ? '' : undefined,
            autoComplete: 'off',
            maxLength: 64,
            onKeyDown,
          },
        }}
        sx={{ flex: 1, maxWidth: 400, '& .MuiFormHelperText-root': { overflowWrap: 'anywhere' } }}
      />
      <Button variant="outlined" size="medium" onClick={() => void load(value)} disabled={isLoading} sx={besideLabelSx}>
        {translate('stations.load')}
      </Button>
    </Box>
  );
}
