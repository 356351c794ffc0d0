import { type KeyboardEvent, useEffect, useState } from 'react';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useTranslate } from 'ra-core';

interface Props {
  label: string;
  /** The number that was loaded before a reload. */
  initial: string;
  /** The number of the bill that is loaded now; empty without one. */
  loaded: string;
  /** Loads a bill; gives why it could not, or nothing. */
  onLoad: (no: string) => Promise<string>;
}

/** Loads the bill that is worked on by the number on its parcel. Until it is there, the focus waits here. */
export function BillLoader({ label, initial, loaded, onLoad }: Props) {
  const translate = useTranslate();
  const [text, setText] = useState(initial);
  const [problem, setProblem] = useState('');
  const [loading, setLoading] = useState(false);
  // The kept number arrives after the first paint; what has been typed by then stays.
  useEffect(() => setText((now) => (now === '' ? initial : now)), [initial]);

  const load = async () => {
    if (loading) return;
    setLoading(true);
    const reason = await onLoad(text.normalize('NFKC').trim());
    setLoading(false);
    setProblem(reason);
    // The bill is drawn with the next paint; only then the scan field is at home.
    if (reason === '') document.querySelector<HTMLInputElement>('input[data-scan=field]')?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    void load();
  };
  return (
    <Box sx={{ display: 'flex', gap: 2, alignItems: 'flex-start' }}>
      <TextField
        label={label}
        value={text}
        onChange={(it) => setText(it.target.value)}
        error={problem !== ''}
        helperText={problem || (loaded && loaded === text ? translate('stations.loaded') : ' ')}
        slotProps={{
          htmlInput: {
            'data-scan': 'number',
            'data-first': loaded ? undefined : '',
            autoComplete: 'off',
            maxLength: 64,
            onKeyDown,
          },
        }}
        sx={{ flex: 1, maxWidth: 400 }}
      />
      <Button variant="outlined" size="medium" onClick={() => void load()} disabled={loading}>
        {translate('stations.load')}
      </Button>
    </Box>
  );
}
