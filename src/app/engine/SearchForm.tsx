import { useEffect, useEffectEvent, useRef, useState, type FormEvent } from 'react';
import { useListContext, useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Search from '@mui/icons-material/Search';
import Tune from '@mui/icons-material/Tune';
import { useLocation } from 'react-router-dom';
import { AdvancedSearch } from '#app/engine/AdvancedSearch.tsx';
import { filterOf, shownFirst, type Entered } from '#app/engine/searchValues.ts';
import { SearchInput } from '#app/engine/SearchInput.tsx';
import type { SearchItem } from '#app/engine/wire.ts';
import { ADVANCED } from '#app/engine/filterNames.ts';
import { isSessionLost } from '#app/session.ts';
import { useIsPhone } from '#app/shell/appearance.ts';

/** Of a field of the search: where there is no room, of one alone and of each of two; where there is; of the icons behind them all. */
const [ALONE, NARROWEST, COMFORTABLE, ICONS] = [160, 120, 188, 90];

interface SearchFormProps {
  menuNo: string;
  items: readonly SearchItem[];
  /** What the tabs choose is not asked for twice. */
  tabs: string | undefined;
  /** There is room for one field alone. */
  isCrowded: boolean;
}

/**
 * The fields most used, and the rest on demand. What is entered counts when it is sent; what is applied stands in
 * the address. Rule: lists#search.
 */
export function SearchForm({ menuNo, items, tabs, isCrowded }: SearchFormProps) {
  const translate = useTranslate();
  const isPhone = useIsPhone();
  const { key } = useLocation();
  const { filterValues, setFilters } = useListContext();
  const [entered, setEntered] = useState<Entered>({});
  const [isOpen, setIsOpen] = useState(false);
  const few = shownFirst(
    items.filter((it) => it.queryName !== tabs),
    isPhone || isCrowded ? 1 : 2,
  );
  const narrowest = few.length === 1 ? ALONE : NARROWEST;
  const shown = isOpen ? items : few;
  const hasMore = items.length > few.length;
  const hasAny = [entered, filterValues].some((it) => Object.values(it).some((value) => value !== '' && value != null));

  const isKept = useRef(false);
  const showApplied = useEffectEvent(() => setEntered(filterValues));
  // Another address of the same list shows what is applied there, and nothing else; after a lost session what was typed.
  useEffect(() => {
    if (!isKept.current) showApplied();
    return () => {
      isKept.current = isSessionLost();
    };
  }, [key]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setFilters(filterOf(entered, items), {});
  };
  const reset = () => {
    setEntered({});
    if (Object.keys(filterValues).length > 0) setFilters({}, {});
  };
  const searches = translate('shell.search.submit');
  const more = translate(isOpen ? 'shell.search.less' : 'shell.search.more');
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
        // Opened, the fields have a line of their own below the list's.
        ...(isOpen
          ? { order: 1, flex: '1 0 100%' }
          : // Its fields become narrow before a tab is cut; a phone gives them a line of their own.
            {
              flex: { xs: '1 0 100%', sm: `0 1000 ${few.length * COMFORTABLE + ICONS}px` },
              // Narrower it would run into the buttons beside it: then the tabs scroll.
              minWidth: { xs: 0, md: 'min-content' },
              flexWrap: { xs: 'nowrap', sm: 'wrap', md: 'nowrap' },
            }),
        '& > .MuiInputBase-root, & > .choice': {
          flex: isOpen ? '1 1 220px' : '1 1 120px',
          minWidth: narrowest,
          maxWidth: isOpen ? { xs: 'none', sm: 320 } : { xs: 'none', sm: 220 },
          ...(!isOpen && { width: narrowest }),
        },
        // A label, what is chosen and an arrow.
        ...(!isOpen && { '& > .choice': { flexBasis: { sm: 180 }, width: { sm: 180 } } }),
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
      <Box sx={{ display: 'flex', alignItems: 'center', flex: 'none' }}>
        <IconButton type="submit" size="small" aria-label={searches} title={searches}>
          <Search sx={{ fontSize: 20 }} />
        </IconButton>
        {hasMore && (
          <IconButton
            size="small"
            aria-label={more}
            title={more}
            aria-expanded={isOpen}
            color={isOpen ? 'primary' : 'default'}
            onClick={() => setIsOpen(!isOpen)}
          >
            <Tune sx={{ fontSize: 20 }} />
          </IconButton>
        )}
        <AdvancedSearch menuNo={menuNo} />
        {hasAny && (
          <Button variant="text" color="inherit" onClick={reset} sx={{ fontWeight: 400, px: 2, minWidth: 0 }}>
            {translate('shell.search.reset')}
          </Button>
        )}
      </Box>
    </Box>
  );
}
