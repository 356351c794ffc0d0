import { useState, type KeyboardEvent } from 'react';
import { useResourceContext, useTranslate } from 'ra-core';
import { Link } from 'react-router-dom';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Popover from '@mui/material/Popover';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import ArrowDownward from '@mui/icons-material/ArrowDownward';
import ArrowUpward from '@mui/icons-material/ArrowUpward';
import DragIndicator from '@mui/icons-material/DragIndicator';
import { configurePath, useMayConfigure } from '#app/engine/configure.ts';
import { arrangedBy, changed, moved, type Arranged } from '#app/engine/list/columns.ts';
import { useListLook, type ListLook } from '#app/engine/list/useListView.ts';
import { IconAction } from '#app/parts/IconAction.tsx';
import { NumberField } from '#app/parts/NumberField.tsx';
import { isEnter } from '#app/parts/enter.ts';
import { useDensity } from '#app/shell/appearance.ts';
import { cutSx, type Density } from '#app/theme.ts';

interface ColumnsPanelProps {
  anchor: HTMLElement;
  onClose: () => void;
}

/** Everything that is the user's own about a list: shown columns, their order and width, the height of rows. */
export default function ColumnsPanel({ anchor, onClose }: ColumnsPanelProps) {
  const look = useListLook();
  const translate = useTranslate();
  return (
    <Popover
      open
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      slotProps={{ paper: { role: 'dialog', 'aria-label': translate('lists.columns.title'), sx: { width: 360 } } }}
    >
      {look && <Panel look={look} />}
    </Popover>
  );
}

function Panel({ look }: { look: ListLook }) {
  const translate = useTranslate();
  const { densities } = useDensity();
  const [dragged, setDragged] = useState<string | null>(null);
  const { arranged, arrange } = look;
  const resource = useResourceContext() ?? '';
  const mayConfigure = useMayConfigure();
  const label = translate('shell.list.density.label');
  const reset = () =>
    arrange(
      arrangedBy(
        arranged.map((it) => it.column),
        [],
      ).map((it) => it),
    );
  return (
    <Box sx={{ p: 3, display: 'flex', flexDirection: 'column', gap: 3 }}>
      <ToggleButtonGroup
        exclusive
        fullWidth
        size="small"
        aria-label={label}
        value={look.density}
        onChange={(_, to: Density | null) => to && look.setDensity(to)}
      >
        {densities.map((it) => (
          <ToggleButton key={it} value={it} sx={{ textTransform: 'none', fontSize: 13, height: 32 }}>
            {translate(`shell.list.density.${it}`)}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <Box sx={{ display: 'flex', alignItems: 'center' }}>
        <Box component="h2" sx={{ m: 0, fontSize: 13, fontWeight: 600, mr: 'auto' }}>
          {translate('lists.columns.shown')}
        </Box>
        <Button variant="text" onClick={reset}>
          {translate('lists.columns.reset')}
        </Button>
      </Box>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', maxHeight: 'min(420px, 50vh)', overflow: 'auto' }}>
        {arranged.map((it, i) => (
          <Line
            key={it.column.name}
            it={it}
            isFirst={i === 0}
            isLast={i === arranged.length - 1}
            canUp={i > 1}
            onStep={(by) => arrange(moved(arranged, it.column.name, i + by))}
            onChange={(change) => arrange(changed(arranged, it.column.name, change))}
            onDrag={() => setDragged(it.column.name)}
            onDrop={() => dragged && arrange(moved(arranged, dragged, i))}
          />
        ))}
      </Box>
      <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{translate('lists.columns.hint')}</Box>
      {mayConfigure && (
        <Button component={Link} to={configurePath(resource)} variant="text">
          {translate('lists.columns.configure')}
        </Button>
      )}
    </Box>
  );
}

interface LineProps {
  it: Arranged;
  isFirst: boolean;
  isLast: boolean;
  canUp: boolean;
  onStep: (by: -1 | 1) => void;
  onChange: (change: { width?: number | undefined; hidden?: boolean }) => void;
  onDrag: () => void;
  onDrop: () => void;
}

function Line({ it, isFirst, isLast, canUp, onStep, onChange, onDrag, onDrop }: LineProps) {
  const translate = useTranslate();
  const [isOver, setIsOver] = useState(false);
  const { label, name } = it.column;
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (!event.altKey || by === 0 || isFirst) return;
    event.preventDefault();
    onStep(by);
  };
  return (
    <Box
      component="li"
      data-column={name}
      draggable={!isFirst}
      onDragStart={onDrag}
      onDragOver={(event) => {
        if (isFirst) return;
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={() => {
        setIsOver(false);
        onDrop();
      }}
      onKeyDown={onKeyDown}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        height: 36,
        borderTop: '2px solid',
        borderColor: isOver ? 'primary.main' : 'transparent',
      }}
    >
      <DragIndicator
        aria-hidden
        sx={{ fontSize: 16, color: 'text.disabled', cursor: 'grab', visibility: isFirst ? 'hidden' : 'visible' }}
      />
      <Box component="label" sx={{ display: 'flex', alignItems: 'center', flex: 1, minWidth: 0, fontSize: 13 }}>
        <Checkbox
          size="small"
          checked={!it.hidden}
          disabled={isFirst}
          onChange={(event) => onChange({ hidden: !event.target.checked })}
          sx={{ p: 1 }}
        />
        <Box component="span" sx={cutSx}>
          {label}
        </Box>
      </Box>
      <Width label={label} width={it.width} onChange={(width) => onChange({ width })} />
      <IconAction
        size={14}
        label={translate('lists.columns.up', { column: label })}
        Icon={ArrowUpward}
        disabled={!canUp}
        onClick={() => onStep(-1)}
      />
      <IconAction
        size={14}
        label={translate('lists.columns.down', { column: label })}
        Icon={ArrowDownward}
        disabled={isFirst || isLast}
        onClick={() => onStep(1)}
      />
    </Box>
  );
}

/** Empty: as wide as what stands in it. It counts when it is left, so that a number can be typed in peace. */
function Width({
  label,
  width,
  onChange,
}: {
  label: string;
  width?: number | undefined;
  onChange: (to?: number) => void;
}) {
  const translate = useTranslate();
  const [text, setText] = useState<string | null>(null);
  const leave = () => {
    if (text !== null && /^\d*$/.test(text)) onChange(text === '' ? undefined : Number(text));
    setText(null);
  };
  return (
    <NumberField
      place="unseen"
      width={72}
      label={translate('lists.columns.width', { column: label })}
      value={text ?? String(width ?? '')}
      onChange={setText}
      onKeyDown={(event) => isEnter(event) && leave()}
      htmlInput={{ placeholder: translate('lists.columns.auto'), onBlur: leave }}
    />
  );
}
