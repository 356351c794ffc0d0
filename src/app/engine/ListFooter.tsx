import { useListContext, useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import FirstPage from '@mui/icons-material/FirstPage';
import KeyboardArrowLeft from '@mui/icons-material/KeyboardArrowLeft';
import KeyboardArrowRight from '@mui/icons-material/KeyboardArrowRight';
import LastPage from '@mui/icons-material/LastPage';
import type { ListMeta } from '#app/engine/listMeta.ts';
import { countFitting, FILL, pageChoices, pageSize } from '#app/engine/pageSize.ts';
import { groupedCount } from '#app/fields/format.ts';
import { useObservable } from '#app/observable.ts';
import { Choice } from '#app/parts/Choice.tsx';
import { IconAction } from '#app/parts/IconAction.tsx';
import type { Density } from '#app/theme.ts';

/** The total, the pages, and how many rows one has. */
export function ListFooter({ density }: { density: Density }) {
  const translate = useTranslate();
  const { page, perPage, total, error, meta, setPage, setPerPage } = useListContext();
  const { most = Infinity } = (meta ?? {}) as ListMeta;
  const known = error ? 0 : (total ?? 0);
  const pages = Math.max(1, Math.ceil(known / perPage));
  const lastChosen = useObservable(pageSize);
  const fitting = countFitting(density);
  const size = lastChosen === FILL && perPage === fitting ? FILL : String(perPage);
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 2,
        fontSize: 13,
        color: 'text.secondary',
        fontVariantNumeric: 'tabular-nums',
      }}
    >
      <Box aria-live="polite" sx={{ mr: 'auto' }}>
        {total !== undefined &&
          translate(known < most ? 'shell.list.total' : 'shell.list.totalOrMore', { total: groupedCount(known) })}
      </Box>
      <Choice
        place="unseen"
        minWidth={0}
        label={translate('shell.list.pageSize')}
        value={size}
        options={[...new Set<string>([...pageChoices, size])].map((it) => ({
          value: it,
          label:
            it === FILL
              ? translate('shell.list.fillsHeight', { count: fitting })
              : translate('shell.list.perPage', { count: it }),
        }))}
        onChange={(it) => {
          const chosen = pageChoices.find((choice) => choice === it);
          if (chosen) pageSize.set(chosen);
          setPerPage(chosen === FILL ? fitting : Number(it));
        }}
      />
      <Box
        component="nav"
        aria-label={translate('shell.list.page', { page, pages })}
        sx={{ display: 'flex', alignItems: 'center' }}
      >
        <IconAction
          label={translate('ra.navigation.first')}
          Icon={FirstPage}
          disabled={page <= 1}
          onClick={() => setPage(1)}
        />
        <IconAction
          label={translate('ra.navigation.previous')}
          Icon={KeyboardArrowLeft}
          disabled={page <= 1}
          onClick={() => setPage(page - 1)}
        />
        <Box component="span" sx={{ px: 2 }}>
          {translate('shell.list.page', { page, pages })}
        </Box>
        <IconAction
          label={translate('ra.navigation.next')}
          Icon={KeyboardArrowRight}
          disabled={page >= pages}
          onClick={() => setPage(page + 1)}
        />
        <IconAction
          label={translate('ra.navigation.last')}
          Icon={LastPage}
          disabled={page >= pages}
          onClick={() => setPage(pages)}
        />
      </Box>
    </Box>
  );
}
