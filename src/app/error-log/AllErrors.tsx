import { useState } from 'react';
import { keepPreviousData } from '@tanstack/react-query';
import { useGetList, useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import InputBase from '@mui/material/InputBase';
import Pagination from '@mui/material/Pagination';
import { ErrorTable, type ShownError } from '#app/error-log/ErrorTable.tsx';
import { useReasonOf } from '#app/notify.ts';

const PAGE = 50;

/** What all browsers told of in the last 30 days. */
export function AllErrors() {
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  const [text, setText] = useState('');
  const [page, setPage] = useState(1);
  const { data, total, error } = useGetList<ShownError>(
    'errors',
    {
      pagination: { page, perPage: PAGE },
      sort: { field: 'id', order: 'DESC' },
      filter: text.trim() ? { text: text.trim() } : {},
    },
    { placeholderData: keepPreviousData },
  );
  const pages = Math.ceil((total ?? 0) / PAGE);
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
        sx={{ maxWidth: 420, height: 32, px: 2, border: 1, borderColor: 'outline', borderRadius: 1 }}
      />
      {error && (
        <Alert severity="error" variant="outlined">
          {reasonOf(error)}
        </Alert>
      )}
      <ErrorTable
        label={translate('shell.errorLog.all')}
        rows={data ?? []}
        empty={data ? translate('shell.errorLog.none') : ''}
        withUser
      />
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, fontSize: 13, color: 'text.secondary' }}>
        {total !== undefined && translate('shell.list.total', { total })}
        {pages > 1 && <Pagination count={pages} page={page} size="small" onChange={(_, next) => setPage(next)} />}
      </Box>
    </>
  );
}
