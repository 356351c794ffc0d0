import { lazy, Suspense, useId, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import InputAdornment from '@mui/material/InputAdornment';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Close from '@mui/icons-material/Close';
import { heights, InsideLabel, unseen } from '#app/parts/ChoiceInput.tsx';
import type { ChoiceProps } from '#app/parts/choiceProps.ts';
import { NoChoices } from '#app/parts/NoChoices.tsx';
import { loadOnce } from '#app/loadOnce.ts';

/** Only where there is more to choose from than a list can show: no first page waits for it. */
export const loadTypedChoice = loadOnce(() =>
  import('#app/parts/TypedChoice.tsx').then((it) => ({ default: it.TypedChoice })),
);
const TypedChoice = lazy(loadTypedChoice);

/** One of a few, picked from a list; one of many, found by what is typed. */
export function Choice(props: ChoiceProps) {
  const { asked, value, onChange } = props;
  if (!asked) return <ListedChoice {...props} />;
  const values = value === '' ? [] : [value];
  return (
    <Suspense fallback={<ListedChoice {...props} state="loading" />}>
      <TypedChoice {...props} asked={asked} values={values} onChange={(all) => onChange(all.at(-1) ?? '')} />
    </Suspense>
  );
}

function ListedChoice({
  label,
  value,
  options,
  onChange,
  none,
  required = false,
  disabled = false,
  error,
  state,
  place = 'above',
  minWidth = 160,
  hint,
  hasRoom,
  thenScan = false,
  autoFocus = false,
  inputRef,
  onBlur,
}: ChoiceProps) {
  const translate = useTranslate();
  const id = useId();
  // What is offered no more stands for itself, and can be taken off.
  const strange = value === '' || state ? undefined : { value, label: value };
  const known = options.find((it) => it.value === value) ?? strange;
  const isChosen = known !== undefined && value !== '';
  const clears = none !== undefined && !required && !disabled && isChosen;
  const inner = heights[place] - 2;
  const clear = (event: KeyboardEvent) => {
    const isHere = event.target instanceof HTMLElement && event.target.role === 'combobox';
    if (clears && isHere && (event.key === 'Delete' || event.key === 'Backspace')) onChange('');
  };
  const unread = state ?? (options.length === 0 && none === undefined ? 'empty' : undefined);
  return (
    <TextField
      select
      className="choice"
      id={id}
      autoFocus={autoFocus}
      label={place === 'inside' ? undefined : label}
      value={known ? value : ''}
      required={required}
      disabled={disabled}
      error={error !== undefined}
      helperText={error ?? hint ?? (hasRoom ? ' ' : undefined)}
      inputRef={inputRef}
      onChange={(it) => onChange(it.target.value)}
      onBlur={onBlur}
      onKeyDown={clear}
      // As a block, so that what is too long for its place ends in dots before the arrow; stronger than the theme.
      sx={{
        minWidth,
        maxWidth: 1,
        '&&& .MuiSelect-select': {
          display: 'block',
          height: inner,
          lineHeight: `${inner}px`,
          minHeight: 0,
          ...(clears && { paddingRight: '4px' }),
          // What stands for nothing is shown whole or not at all: it would go on in a line that is not seen.
          ...(place === 'inside' && !isChosen && { whiteSpace: 'normal', textOverflow: 'clip' }),
        },
      }}
      slotProps={{
        select: {
          labelId: `${id}-label`,
          displayEmpty: true,
          renderValue: (it) =>
            it !== '' ? (
              <span title={known?.label}>{known?.label}</span>
            ) : (
              <Unchosen>
                {state ? translate(`shell.form.options.${state}`) : (none ?? translate('shell.form.choose'))}
              </Unchosen>
            ),
          MenuProps: { disableRestoreFocus: thenScan, slotProps: { paper: { sx: { maxHeight: 360 } } } },
        },
        htmlInput: { 'aria-required': required },
        inputLabel: { shrink: true, ...(place === 'unseen' && { sx: unseen }) },
        input: {
          ...(place === 'inside' && {
            startAdornment: (
              <InsideLabel id={id} isFilled={isChosen} end={40}>
                {label}
              </InsideLabel>
            ),
          }),
          ...(clears && {
            endAdornment: (
              <InputAdornment position="end" sx={{ mr: 4 }}>
                <IconButton
                  size="small"
                  tabIndex={-1}
                  aria-label={translate('shell.form.clear', { name: label })}
                  title={translate('shell.form.clear', { name: label })}
                  onClick={() => onChange('')}
                  sx={{ p: 0.5 }}
                >
                  <Close sx={{ fontSize: 16 }} />
                </IconButton>
              </InputAdornment>
            ),
          }),
          sx: { height: heights[place], ...(place !== 'above' && { fontSize: 13 }) },
        },
      }}
    >
      {none !== undefined && !unread && <MenuItem value="">{none}</MenuItem>}
      {unread && (
        <MenuItem disabled value="">
          {unread === 'empty' ? <NoChoices /> : translate(`shell.form.options.${unread}`)}
        </MenuItem>
      )}
      {(known && known === strange ? [...options, known] : options).map((it) => (
        <MenuItem key={it.value} value={it.value}>
          {it.label}
        </MenuItem>
      ))}
    </TextField>
  );
}

const Unchosen = ({ children }: { children: ReactNode }) => (
  <>
    {'\u200B'}
    <Box component="span" sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>
      {children}
    </Box>
  </>
);
