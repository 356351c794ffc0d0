import { useEffect, useState } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { AllErrors } from '#app/error-log/AllErrors.tsx';
import { ErrorTable } from '#app/error-log/ErrorTable.tsx';
import { markErrorsRead, useCapturedErrors } from '#app/errorLog.ts';
import { useUser } from '#app/session.ts';
import { useObservable, createObservable } from '#app/observable.ts';

const shownTab = createObservable<'mine' | 'all'>('mine');

/**
 * The captured client errors: those of this browser, and for administrators those of everybody. Rule: screens#errors.
 */
export default function ErrorLogPage() {
  const translate = useTranslate();
  const captured = useCapturedErrors();
  const [unread] = useState(() => new Set(captured.filter((it) => !it.isRead).map((it) => it.id)));
  const seesAll = useUser()?.access.includes('errorLog:list') === true;
  const tab = useObservable(shownTab);
  useEffect(markErrorsRead, [captured]);
  const words = (key: string) => translate(`shell.errorLog.${key}`);
  return (
    <Box sx={{ p: 4, pt: 2, display: 'flex', flexDirection: 'column', gap: 3, minHeight: '100%' }}>
      {seesAll && (
        <Tabs value={tab} onChange={(_, next: 'mine' | 'all') => shownTab.set(next)} sx={{ minHeight: 36 }}>
          <Tab value="mine" label={words('mine')} sx={{ minHeight: 36, py: 1 }} />
          <Tab value="all" label={words('all')} sx={{ minHeight: 36, py: 1 }} />
        </Tabs>
      )}
      {seesAll && tab === 'all' ? (
        <AllErrors />
      ) : (
        <ErrorTable label={words('title')} rows={captured} isNew={({ id }) => unread.has(id)} empty={words('none')} />
      )}
    </Box>
  );
}
