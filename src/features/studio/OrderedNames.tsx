import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Close from '@mui/icons-material/Close';
import DragIndicator from '@mui/icons-material/DragIndicator';
import { IconAction } from '#app/parts/IconAction.tsx';
import { codeSx, cutSx } from '#app/theme.ts';
import { MoveButtons } from './MoveButtons.tsx';
import { AddName } from './AddName.tsx';
import { movedBy } from './rules.ts';

interface Props {
  label: string;
  names: readonly string[];
  /** The one that one came for. */
  focused?: string | undefined;
  /** What could be taken besides. */
  offered: readonly string[];
  labelOf: (name: string) => string;
  onChange: (names: string[]) => void;
}

/** Names in an order: moved by drag, by arrows or by Alt and an arrow key; taken out, and taken in at the end. */
export function OrderedNames({ label, names, focused, offered, labelOf, onChange }: Props) {
  const translate = useTranslate();
  const say = (key: string, args?: object) => translate(`studio.order.${key}`, args);
  const [dragged, setDragged] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const goal = useRef<HTMLLIElement>(null);
  useEffect(() => goal.current?.querySelector<HTMLElement>('button:not(:disabled)')?.focus(), []);
  const others = offered.filter((it) => !names.includes(it));
  const drop = (at: number) => {
    if (dragged !== null && dragged !== at) {
      const rest = names.filter((_, i) => i !== dragged);
      onChange(rest.toSpliced(at, 0, names[dragged] as string));
    }
    setDragged(null);
    setOver(null);
  };
  const onKeyDown = (at: number) => (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (!event.altKey || by === 0) return;
    event.preventDefault();
    onChange(movedBy(names, at, by));
  };
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3 }}>
      <Box
        component="ol"
        aria-label={label}
        sx={{ m: 0, p: 0, listStyle: 'none', border: 1, borderColor: 'divider', borderRadius: 1 }}
      >
        {names.map((name, i) => (
          <Box
            key={name}
            ref={name === focused ? goal : undefined}
            component="li"
            draggable
            onDragStart={() => setDragged(i)}
            onDragOver={(event) => {
              event.preventDefault();
              setOver(i);
            }}
            onDrop={() => drop(i)}
            onDragEnd={() => drop(dragged ?? i)}
            onKeyDown={onKeyDown(i)}
            sx={{
              display: 'flex',
              alignItems: 'center',
              gap: 1,
              height: 36,
              px: 1,
              borderTop: i === 0 ? 0 : 1,
              borderColor: 'divider',
              ...(over === i &&
                dragged !== null &&
                dragged !== i && { boxShadow: (it) => `inset 0 2px ${it.palette.primary.main}` }),
            }}
          >
            <DragIndicator aria-hidden sx={{ fontSize: 16, color: 'text.disabled', cursor: 'grab' }} />
            <Box component="span" title={labelOf(name)} sx={{ ...cutSx, fontSize: 13 }}>
              {labelOf(name)}
            </Box>
            <Box component="code" sx={{ ...codeSx, ...cutSx, flex: 1, fontSize: 12, color: 'text.secondary' }}>
              {name}
            </Box>
            <MoveButtons
              name={labelOf(name)}
              at={i}
              count={names.length}
              onMove={(by) => onChange(movedBy(names, i, by))}
            />
            <IconAction
              size={14}
              label={say('out', { name: labelOf(name) })}
              Icon={Close}
              onClick={() => onChange(names.filter((it) => it !== name))}
            />
          </Box>
        ))}
        {names.length === 0 && (
          <Box component="li" sx={{ p: 3, fontSize: 13, color: 'text.secondary' }}>
            {say('none')}
          </Box>
        )}
      </Box>
      <AddName names={others} labelOf={labelOf} onAdd={(name) => onChange([...names, name])} />
    </Box>
  );
}
