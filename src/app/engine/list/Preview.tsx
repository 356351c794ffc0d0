import { Link } from 'react-router-dom';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Drawer from '@mui/material/Drawer';
import Close from '@mui/icons-material/Close';
import KeyboardArrowDown from '@mui/icons-material/KeyboardArrowDown';
import KeyboardArrowUp from '@mui/icons-material/KeyboardArrowUp';
import { factsOf } from '#app/engine/factsOf.tsx';
import { Lines, listsOf } from '#app/engine/Lines.tsx';
import { nameOf, useDetail } from '#app/engine/useDetail.ts';
import type { Detail, Row } from '#app/engine/wire.ts';
import { kindOf, urlsOf } from '#app/fields/format.ts';
import { Images } from '#app/fields/Images.tsx';
import { useIsNarrow } from '#app/engine/list/useIsNarrow.ts';
import { FactGrid } from '#app/parts/Facts.tsx';
import { IconAction } from '#app/parts/IconAction.tsx';
import { codeSx } from '#app/theme.ts';

interface PreviewProps {
  menuNo: string;
  row: Row;
  /** The row's name in the list, shown until the detail is there. */
  name: string;
  /** To the row above or below. */
  onStep: (by: -1 | 1) => void;
  onClose: () => void;
}

/**
 * A row's facts and lines beside the list, which stays as it is: the arrows move on, Esc closes. Where there is no room
 * beside, it lies over the list.
 */
export function Preview(props: PreviewProps) {
  const translate = useTranslate();
  const isNarrow = useIsNarrow();
  const label = translate('lists.preview.label');
  if (isNarrow) {
    return (
      <Drawer
        anchor="right"
        open
        onClose={props.onClose}
        onKeyDown={(event) => {
          // The list behind cannot hear them.
          const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
          if (by === 0) return;
          event.preventDefault();
          props.onStep(by);
        }}
        slotProps={{ paper: { sx: { width: 'min(480px, 100vw)', p: 4 }, 'aria-label': label } }}
      >
        <Content {...props} />
      </Drawer>
    );
  }
  return (
    <Box
      component="aside"
      aria-label={label}
      sx={{
        width: 400,
        flex: 'none',
        // As high as the window leaves room for: what is beside it never moves.
        alignSelf: 'flex-start',
        maxHeight: 'calc(100vh - 190px)',
        overflow: 'auto',
        p: 4,
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        bgcolor: 'background.paper',
      }}
    >
      <Content {...props} />
    </Box>
  );
}

function Content({ menuNo, row, name, onStep, onClose }: PreviewProps) {
  const translate = useTranslate();
  const { data, isPlaceholderData, error } = useDetail(menuNo, String(row.id));
  const isThere = data && !isPlaceholderData;
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 4 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
        <Box component="h2" sx={{ m: 0, flex: 1, minWidth: 0, fontSize: 15, lineHeight: '22px', fontWeight: 600 }}>
          <Box component="span" sx={{ ...codeSx, overflow: 'hidden', textOverflow: 'ellipsis', display: 'block' }}>
            {(isThere && nameOf(data)) || name}
          </Box>
        </Box>
        <IconAction
          size={18}
          label={translate('lists.preview.previous')}
          Icon={KeyboardArrowUp}
          onClick={() => onStep(-1)}
        />
        <IconAction
          size={18}
          label={translate('lists.preview.next')}
          Icon={KeyboardArrowDown}
          onClick={() => onStep(1)}
        />
        <Button component={Link} to={`/${menuNo}/detail/${row.id}`} variant="outlined">
          {translate('lists.preview.open')}
        </Button>
        <IconAction size={18} label={translate('lists.preview.close')} Icon={Close} onClick={onClose} />
      </Box>
      {error ? (
        <Box role="alert" sx={{ color: 'text.secondary' }}>
          {translate('lists.preview.failed')}
        </Box>
      ) : (
        // What stood there stays until the next row is read: nothing jumps while the arrows move.
        data && <Record data={data} isPast={!isThere} />
      )}
    </Box>
  );
}

function Record({ data, isPast }: { data: Detail; isPast: boolean }) {
  const { view } = data;
  const pictures = view.fields.filter((it) => kindOf(it) === 'images' && urlsOf(data[it.name]).length > 0);
  const facts = view.fields.filter((it) => kindOf(it) !== 'images');
  return (
    <Box aria-busy={isPast} sx={{ display: 'flex', flexDirection: 'column', gap: 4, opacity: isPast ? 0.6 : 1 }}>
      <FactGrid isFramed facts={factsOf({ ...view, columns: facts, row: data })} />
      {pictures.map((it) => (
        <Images key={it.name} urls={urlsOf(data[it.name])} label={it.label} />
      ))}
      {listsOf(data).map((it) => (
        <Box component="section" key={it.name}>
          <Box component="h3" sx={{ m: 0, mb: 2, fontSize: 13, fontWeight: 600 }}>
            {it.view.label}
          </Box>
          <Lines list={it} maxHeight={320} />
        </Box>
      ))}
    </Box>
  );
}
