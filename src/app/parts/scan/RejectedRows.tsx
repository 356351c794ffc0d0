import { useEffect, useState } from 'react';
import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import type { StationView } from '#app/parts/scan/useStation.ts';

interface Props<Data, Input> {
  station: StationView<Data, Input>;
  /** Submits what is on the list. */
  press: () => void;
}

/** What the last submit was refused for goes from the list by one press, and the rest is submitted. Rule: scanning#refused-submits. */
export function RejectedRows<Data, Input>({ station, press }: Props<Data, Input>) {
  const translate = useTranslate();
  const { accepted, rejected, sending, actions } = station;
  const keys = Object.keys(rejected);
  const rest = accepted.length - keys.length;
  const [goesOn, setGoesOn] = useState(false);
  // Once the page has drawn the list without them, which is what it submits.
  useEffect(() => {
    if (!goesOn || keys.length > 0) return;
    setGoesOn(false);
    press();
  }, [goesOn, keys.length, press]);
  if (keys.length === 0 || rest === 0 || sending) return null;
  const removeAndSubmit = () => {
    setGoesOn(true);
    actions.remove(keys);
  };
  return (
    <Alert
      severity="error"
      // On a phone the words have a line of their own.
      sx={{ flexWrap: 'wrap', '& .MuiAlert-message': { flex: '1 1 200px' } }}
      action={
        <Button color="inherit" onClick={removeAndSubmit} sx={{ whiteSpace: 'nowrap' }}>
          {translate('stations.rejected.do', { smart_count: rest })}
        </Button>
      }
    >
      {translate('stations.rejected.told', { smart_count: keys.length })}
    </Alert>
  );
}
