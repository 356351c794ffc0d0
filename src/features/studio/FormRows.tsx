import { useState, type KeyboardEvent } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Close from '@mui/icons-material/Close';
import { IconAction } from '#app/parts/IconAction.tsx';
import { AddName } from './AddName.tsx';
import { movedInForm } from './rules.ts';

interface Props {
  label: string;
  rows: readonly string[][];
  offered: readonly string[];
  /** Those that may not be taken out: a form that lacks them could not be saved. */
  fixed: ReadonlySet<string>;
  labelOf: (name: string) => string;
  onChange: (rows: string[][]) => void;
}

const keys: Partial<Record<string, 'left' | 'right' | 'up' | 'down'>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

/** The rows of a form: its fields stand side by side, and are moved by drag or by Alt and the arrow keys. */
export function FormRows({ label, rows, offered, fixed, labelOf, onChange }: Props) {
  const translate = useTranslate();
  const say = (key: string, args?: object) => translate(`studio.order.${key}`, args);
  const [dragged, setDragged] = useState<string | null>(null);
  const there = rows.flat();
  const others = offered.filter((it) => !there.includes(it));
  const without = (name: string) => rows.map((it) => it.filter((one) => one !== name));
  const place = (name: string, row: number, at: number) => {
    const all = without(name);
    if (row >= all.length) all.push([name]);
    else all[row]?.splice(at, 0, name);
    onChange(all.filter((it) => it.length > 0));
    setDragged(null);
  };
  const onKeyDown = (name: string) => (event: KeyboardEvent) => {
    const to = keys[event.key];
    if (!event.altKey || !to) return;
    event.preventDefault();
    onChange(movedInForm(rows, name, to));
  };
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3 }}>
      <Box
        component="ol"
        aria-label={label}
        sx={{ m: 0, p: 0, listStyle: 'none', display: 'flex', flexDirection: 'column', gap: 2 }}
      >
        {rows.map((row, i) => (
          <Box
            // A row has no name of its own: it is its first field's.
            key={row[0]}
            component="li"
            onDragOver={(event) => event.preventDefault()}
            onDrop={() => dragged !== null && place(dragged, i, row.length)}
            sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, p: 2, border: 1, borderColor: 'divider', borderRadius: 1 }}
          >
            {row.map((name, at) => (
              <Box
                key={name}
                role="group"
                aria-label={say('field', { name: labelOf(name), row: i + 1, place: at + 1 })}
                tabIndex={0}
                data-field={name}
                draggable
                onDragStart={() => setDragged(name)}
                onDragOver={(event) => event.preventDefault()}
                onDrop={(event) => {
                  event.stopPropagation();
                  if (dragged !== null && dragged !== name) place(dragged, i, at);
                }}
                onKeyDown={onKeyDown(name)}
                sx={{
                  display: 'flex',
                  alignItems: 'center',
                  gap: 1,
                  height: 32,
                  pl: 2,
                  pr: fixed.has(name) ? 2 : 0.5,
                  fontSize: 13,
                  border: 1,
                  borderColor: 'outline',
                  borderRadius: 1,
                  cursor: 'grab',
                  bgcolor: 'background.paper',
                }}
              >
                {labelOf(name)}
                {!fixed.has(name) && (
                  <IconAction
                    size={14}
                    label={say('out', { name: labelOf(name) })}
                    Icon={Close}
                    onClick={() => onChange(without(name).filter((it) => it.length > 0))}
                  />
                )}
              </Box>
            ))}
          </Box>
        ))}
        <Box
          component="li"
          onDragOver={(event) => event.preventDefault()}
          onDrop={() => dragged !== null && place(dragged, rows.length, 0)}
          sx={{
            p: 2,
            border: '1px dashed',
            borderColor: 'divider',
            borderRadius: 1,
            fontSize: 13,
            color: 'text.secondary',
          }}
        >
          {say('newRow')}
        </Box>
      </Box>
      <AddName names={others} labelOf={labelOf} onAdd={(name) => onChange([...rows.map((it) => [...it]), [name]])} />
    </Box>
  );
}
