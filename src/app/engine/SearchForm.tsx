import { useEffect, useEffectEvent, useState, type FormEvent } from 'react';
import { useListContext, useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useLocation } from 'react-router-dom';
import { AdvancedSearch } from '#app/engine/AdvancedSearch.tsx';
import { filterOf, shownFirst, type Entered } from '#app/engine/searchValues.ts';
import { SearchInput } from '#app/engine/SearchInput.tsx';
import type { SearchItem } from '#app/engine/wire.ts';
import { ADVANCED } from '#app/dataProvider.ts';
import { useIsPhone } from '#app/shell/appearance.ts';

/**
 * The three fields most used, and the rest on demand. What is entered counts when it is sent; what is applied stands in
 * the address. Rule: lists#search.
 */
export function SearchForm({ menuNo, items }: { menuNo: string; items: readonly SearchItem[] }) {
  const translate = useTranslate();
  const isPhone = useIsPhone();
  const { key } = useLocation();
  const { filterValues, setFilters } = useListContext();
  const [entered, setEntered] = useState<Entered>({});
  const [isOpen, setIsOpen] = useState(false);
  const few = shownFirst(items, isPhone ? 1 : 3);
  const shown = isOpen ? items : few;
  const hasMore = items.length > few.length;

  const showApplied = useEffectEvent(() => setEntered(filterValues));
  // Another address of the same list shows what is applied there, and nothing else.
  useEffect(() => showApplied(), [key]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setFilters(filterOf(entered, items), {});
  };
  const reset = () => {
    setEntered({});
    if (Object.keys(filterValues).length > 0) setFilters({}, {});
  };
  const valueOf = (it: SearchItem) =>
    filterValues[ADVANCED] && !(it.queryName in entered) ? '' : entered[it.queryName];

  return (
    <Box
      component="form"
      role="search"
      aria-label={translate('shell.search.label')}
      onSubmit={submit}
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        gap: 2,
        '& > .MuiInputBase-root, & > .remote-choice': { flex: '1 1 220px', maxWidth: { xs: 'none', sm: 320 } },
      }}
    >
      {shown.map((it) => (
        <SearchInput
          key={it.queryName}
          item={it}
          value={valueOf(it)}
          onChange={(value) => setEntered((before) => ({ ...before, [it.queryName]: value }))}
        />
      ))}
      <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap', '& .MuiButton-text': { fontWeight: 400, px: 2 } }}>
        <Button type="submit" variant="outlined">
          {translate('shell.search.submit')}
        </Button>
        <Button variant="text" color="inherit" onClick={reset}>
          {translate('shell.search.reset')}
        </Button>
        {hasMore && (
          <Button variant="text" color="inherit" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {translate(isOpen ? 'shell.search.less' : 'shell.search.more')}
          </Button>
        )}
        <AdvancedSearch menuNo={menuNo} />
      </Box>
    </Box>
  );
}
