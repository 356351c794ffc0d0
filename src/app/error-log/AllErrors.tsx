import { useState } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import InputBase from '@mui/material/InputBase';
import Pagination from '@mui/material/Pagination';
import { ErrorTable, type ShownError } from '#app/error-log/ErrorTable.tsx';
import { useReasonOf } from '#app/notify.ts';
import { sendTo } from '#app/send.ts';

const PAGE = 50;

/** What all browsers told of in the last 30 days. */
export function AllErrors() {
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  const [text, setText] = useState('');
  const [page, setPage] = useState(1);
  const { data, error } = useQuery({
    queryKey: ['errors', text.trim(), page],
    queryFn: () => readErrors(text.trim(), page),
    placeholderData: keepPreviousData,
  });
  const pages = Math.ceil((data?.total ?? 0) / PAGE);
  return (
    <>
      <InputBase
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setPage(1);
        }}
        placeholder={translate('shell.errorLog.search')}
        inputProps={{ 'aria-label': translate('shell.errorLog.search'), maxLength: 100 }}
        sx={{ maxWidth: 420, height: 32, px: 2, border: 1, borderColor: 'divider', borderRadius: 1 }}
      />
      {error && (
        <Alert severity="error" variant="outlined">
          {reasonOf(error)}
        </Alert>
      )}
      <ErrorTable
        label={translate('shell.errorLog.all')}
        rows={data?.items ?? []}
        empty={data ? translate('shell.errorLog.none') : ''}
        withUser
      />
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, fontSize: 13, color: 'text.secondary' }}>
        {data && translate('shell.list.total', { total: data.total })}
        {pages > 1 && <Pagination count={pages} page={page} size="small" onChange={(_, next) => setPage(next)} />}
      </Box>
    </>
  );
}

const readErrors = (text: string, page: number) =>
  sendTo<{ items: ShownError[]; total: number }>(
    { method: 'GET', path: '/rest/errors', writes: false },
    { pageStart: (page - 1) * PAGE, pageCount: PAGE, ...(text && { text }) },
  );
