import { useId } from 'react';
import { useResourceContext, useTranslate } from 'ra-core';
import OutlinedInput from '@mui/material/OutlinedInput';
import { moduleOf } from '#app/engine/module.ts';
import type { SearchItem } from '#app/engine/wire.ts';
import { isNumeric } from '#domain/definition/isNumeric.ts';
import { DateInput } from '#app/fields/DateInput.tsx';
import { dateKindOf, fromDateText, toDateText } from '#app/fields/format.ts';
import { Choice } from '#app/parts/Choice.tsx';
import { heights, InsideLabel } from '#app/parts/ChoiceInput.tsx';
import { toOptions } from '#app/parts/toOptions.ts';
import { snInput } from '#app/parts/scan/labels.ts';
import { holdsSn } from '#domain/sn.ts';

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
    <InsideLabel id={id} isFilled={value !== undefined && value !== null && value !== ''}>
      {item.name}
    </InsideLabel>
  );
  const sx = { height: heights.inside, fontSize: 13, minWidth: 0 };
  if (item.options) {
    return (
      <Choice
        place="inside"
        minWidth={0}
        label={item.name}
        value={String(value ?? '')}
        options={toOptions(item.options)}
        asked={item.more && menuNo ? { module: moduleOf(menuNo), field: item.queryName, all: true } : undefined}
        none={translate('shell.search.any')}
        onChange={onChange}
      />
    );
  }
  const kind = dateKindOf(item.type);
  if (kind) {
    return (
      <DateInput
        id={id}
        kind={kind}
        edge={edgeOf(item)}
        size="small"
        value={toDateText(kind, value)}
        onChange={(text, typed) => onChange(text === '' ? typed : fromDateText(kind, text))}
        startAdornment={label}
        // A date with its time is longer than other values.
        sx={{ ...sx, ...(kind === 'moment' && { '&&&': { flexBasis: 300 } }) }}
      />
    );
  }
  return (
    <OutlinedInput
      id={id}
      size="small"
      value={String(value ?? '')}
      onChange={(event) => onChange(event.target.value)}
      startAdornment={label}
      // A number that is cut is another one.
      inputProps={{ ...(!isNumeric(item) && { maxLength: 200 }), ...(holdsSn(item.queryName) && snInput) }}
      sx={sx}
    />
  );
}

/** The two ends of a span of time are fields of their own. */
const edgeOf = ({ queryName, type }: SearchItem) =>
  type === 'dateTime' && queryName.endsWith('Start')
    ? 'start'
    : type === 'dateTime' && queryName.endsWith('End')
      ? 'end'
      : undefined;
