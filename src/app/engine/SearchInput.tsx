import { useId } from 'react';
import { useResourceContext, useTranslate } from 'ra-core';
import InputAdornment from '@mui/material/InputAdornment';
import MenuItem from '@mui/material/MenuItem';
import OutlinedInput from '@mui/material/OutlinedInput';
import Select from '@mui/material/Select';
import { moduleOf } from '#app/engine/module.ts';
import { RemoteChoice } from '#app/engine/RemoteChoice.tsx';
import type { SearchItem } from '#app/engine/wire.ts';
import { fromInput, toInput } from '#app/fields/format.ts';
import { snInput } from '#app/parts/scan/labels.ts';
import { holdsSn } from '#app/parts/snPage.ts';

interface SearchInputProps {
  item: SearchItem;
  value: unknown;
  onChange: (value: unknown) => void;
}

/** One field of a search, its label inside the box, so that a line of them stays a line. */
export function SearchInput({ item, value, onChange }: SearchInputProps) {
  const translate = useTranslate();
  const id = useId();
  const menuNo = useResourceContext();
  const label = (
    <InputAdornment
      position="start"
      sx={{ '& label': { fontSize: 13, color: 'text.secondary', whiteSpace: 'nowrap' } }}
    >
      <label htmlFor={id} id={`${id}-label`}>
        {item.name}
      </label>
    </InputAdornment>
  );
  const sx = { height: 32, fontSize: 13, minWidth: 0 };
  if (item.type === 'select' && item.more && menuNo) {
    return (
      <RemoteChoice
        id={id}
        module={moduleOf(menuNo)}
        field={item.queryName}
        options={item.options ?? []}
        value={String(value ?? '')}
        onChange={onChange}
        label={<label htmlFor={id}>{item.name}</label>}
        labelledBy={`${id}-label`}
        placeholder={translate('shell.search.any')}
        height={32}
      />
    );
  }
  if (item.type === 'select') {
    return (
      <Select
        displayEmpty
        labelId={`${id}-label`}
        id={id}
        value={String(value ?? '')}
        onChange={(event) => onChange(event.target.value)}
        startAdornment={label}
        renderValue={(chosen) => (
          <span title={findOptionName(item, chosen)}>
            {chosen === '' ? translate('shell.search.any') : findOptionName(item, chosen)}
          </span>
        )}
        sx={sx}
        MenuProps={{ slotProps: { paper: { sx: { maxHeight: 360 } } } }}
      >
        <MenuItem value="">{translate('shell.search.any')}</MenuItem>
        {item.options?.map((it) => (
          <MenuItem key={it.value} value={it.value}>
            {it.optionName}
          </MenuItem>
        ))}
      </Select>
    );
  }
  const { type, text, read } = inputOf(item, value);
  return (
    <OutlinedInput
      id={id}
      type={type}
      size="small"
      value={text}
      onChange={(event) => onChange(read(event.target.value))}
      startAdornment={label}
      inputProps={{
        ...(type === 'datetime-local' ? { step: 1, max: '9999-12-31T23:59:59' } : { maxLength: 200 }),
        ...(holdsSn(item.queryName) && snInput),
      }}
      sx={sx}
    />
  );
}

const findOptionName = (item: SearchItem, value: string) =>
  item.options?.find((it) => it.value === value)?.optionName ?? value;

/** Days and moments are picked and kept as epoch ms, a month as `yyyy-MM`; everything else is text. */
function inputOf(item: SearchItem, value: unknown): { type: string; text: string; read: (text: string) => unknown } {
  switch (item.type) {
    case 'date':
      return { type: 'date', text: toInput.date(value), read: fromInput.date };
    case 'dateTime':
      return { type: 'datetime-local', text: toInput.dateTime(value), read: fromInput.dateTime };
    case 'Month':
      return { type: 'month', text: String(value ?? ''), read: (it) => it };
    default:
      return { type: 'text', text: String(value ?? ''), read: (it) => it };
  }
}
