import { useTranslate } from 'ra-core';
import Button from '@mui/material/Button';
import { useFailedReads } from '#app/parts/useFailedReads.ts';

/** In place of choices: there are none, or they could not be read. Where it can be pressed it reads them anew. */
export function NoChoices({ isPressable = false }: { isPressable?: boolean }) {
  const translate = useTranslate();
  const { failed, readAgain } = useFailedReads();
  if (failed.length === 0) return translate('shell.form.options.empty');
  return (
    <>
      {translate('shell.form.options.failed')}{' '}
      {isPressable && (
        <Button size="small" onClick={readAgain}>
          {translate('shell.form.retry')}
        </Button>
      )}
    </>
  );
}
