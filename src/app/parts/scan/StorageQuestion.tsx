import { useEffect, useState } from 'react';
import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { asksAloud } from '#app/parts/scan/persistence.ts';

/** Per browser: it is asked once, whatever is answered. */
const STORAGE_KEY = 'storageAsked';

/** Says what the browser is about to ask, before it does. Rule: scanning#store. */
export function StorageQuestion() {
  const translate = useTranslate();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (!asksAloud() || localStorage.getItem(STORAGE_KEY) !== null) return undefined;
    let isOver = false;
    void navigator.storage.persisted().then((isKept) => !isOver && setOpen(!isKept));
    return () => {
      isOver = true;
    };
  }, []);
  if (!isOpen) return null;
  const answer = (isWanted: boolean) => {
    localStorage.setItem(STORAGE_KEY, '1');
    setOpen(false);
    if (isWanted) void navigator.storage.persist().catch(() => false);
  };
  return (
    <Alert
      severity="info"
      sx={{ flexWrap: 'wrap', '& .MuiAlert-message': { flex: '1 1 200px' } }}
      action={
        <>
          <Button color="inherit" onClick={() => answer(true)}>
            {translate('stations.storage.do')}
          </Button>
          <Button color="inherit" onClick={() => answer(false)}>
            {translate('stations.storage.later')}
          </Button>
        </>
      }
    >
      {translate('stations.storage.ask')}
    </Alert>
  );
}
