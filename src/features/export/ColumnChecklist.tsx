import { useId } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';

interface ColumnChecklistProps {
  columns: readonly { name: string; label: string }[];
  checked: readonly string[];
  /** What the list shows now, in its order. */
  shown: readonly string[];
  problem: string;
  onChange: (checked: readonly string[]) => void;
}

/** Which columns go into the file; they keep the order of the list. */
export function ColumnChecklist({ columns, checked, shown, problem, onChange }: ColumnChecklistProps) {
  const translate = useTranslate();
  const id = useId();
  const names = columns.map((it) => it.name);
  const toggle = (name: string) => {
    const wanted = new Set(checked.includes(name) ? checked.filter((it) => it !== name) : [...checked, name]);
    onChange([...shown, ...names.filter((it) => !shown.includes(it))].filter((it) => wanted.has(it)));
  };
  return (
    <Box component="fieldset" aria-describedby={id} sx={{ m: 0, p: 0, border: 0, minWidth: 0 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', flexWrap: 'wrap', gap: 1, mb: 1 }}>
        <Box component="legend" sx={{ float: 'left', p: 0, fontSize: 13, fontWeight: 600 }}>
          {translate('shell.export.columns', { count: checked.length, all: columns.length })}
        </Box>
        <Box sx={{ ml: 'auto', display: 'flex', gap: 1 }}>
          <Button size="small" variant="text" onClick={() => onChange(names)}>
            {translate('shell.export.every')}
          </Button>
          <Button size="small" variant="text" onClick={() => onChange([])}>
            {translate('shell.export.none')}
          </Button>
          {shown.length > 0 && (
            <Button size="small" variant="text" onClick={() => onChange(shown)}>
              {translate('shell.export.list')}
            </Button>
          )}
        </Box>
      </Box>
      <Box
        sx={{
          display: 'grid',
          gridTemplateColumns: { xs: '1fr 1fr', sm: 'repeat(3, minmax(0, 1fr))', md: 'repeat(4, minmax(0, 1fr))' },
          columnGap: 2,
          maxHeight: 320,
          overflowY: 'auto',
          border: 1,
          borderColor: problem ? 'error.main' : 'divider',
          borderRadius: 1,
          px: 2,
          py: 1,
        }}
      >
        {columns.map(({ name, label }) => (
          <FormControlLabel
            key={name}
            control={
              <Checkbox size="small" checked={checked.includes(name)} onChange={() => toggle(name)} sx={{ p: 1 }} />
            }
            label={label}
            sx={{ m: 0, minWidth: 0, '& .MuiFormControlLabel-label': { fontSize: 13, overflowWrap: 'anywhere' } }}
          />
        ))}
      </Box>
      <Box id={id} role="alert" sx={{ minHeight: 20, mt: 1, fontSize: 12, color: 'error.main' }}>
        {problem}
      </Box>
    </Box>
  );
}
