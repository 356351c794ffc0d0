import { useTranslate } from 'ra-core';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { grouped } from '#app/engine/list/columns.ts';
import { Strip } from '#app/engine/list/Strip.tsx';
import type { ListLook } from '#app/engine/list/useListView.ts';
import type { ColumnGroup } from '#app/engine/wire.ts';

/** A wide list shows one set of its columns at a time; none is pressed where the user has put together their own. */
export function ColumnGroups({ look, groups }: { look: ListLook; groups: readonly ColumnGroup[] }) {
  const translate = useTranslate();
  const shown = look.columns
    .slice(1)
    .map((it) => it.name)
    .join();
  const overview = look.arranged.slice(1).flatMap(({ column }) => (column.isOther ? [] : [column.name]));
  const choices = [{ label: translate('lists.groups.overview'), columns: overview }, ...groups];
  const chosen = choices.find((it) => it.columns.join() === shown)?.label ?? null;
  return (
    <Strip chosen={chosen} count={choices.length}>
      {(strip) => (
        <ToggleButtonGroup
          ref={strip}
          exclusive
          size="small"
          aria-label={translate('lists.groups.label')}
          value={chosen}
          onChange={(_, to: string | null) => {
            const group = choices.find((it) => it.label === to);
            if (group) look.arrange(grouped(look.arranged, group.columns));
          }}
          sx={{
            display: { xs: 'none', sm: 'inline-flex' },
          }}
        >
          {choices.map((it) => (
            <ToggleButton
              key={it.label}
              value={it.label}
              sx={{ textTransform: 'none', fontSize: 13, height: 28, px: 3, whiteSpace: 'nowrap' }}
            >
              {it.label}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
      )}
    </Strip>
  );
}
