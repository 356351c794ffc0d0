import { useId } from 'react';
import type { ValueEditorProps } from 'react-querybuilder';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import OutlinedInput from '@mui/material/OutlinedInput';
import Select from '@mui/material/Select';
import { MAX_VALUE, valuesIn } from '#domain/searchBounds.ts';
import { ONE_OF, type SearchColumn } from '#app/engine/advancedQuery.ts';
import { RemoteChoice } from '#app/engine/RemoteChoice.tsx';
import { snInput } from '#app/parts/scan/labels.ts';
import { holdsSn } from '#app/parts/snPage.ts';

export interface BuilderContext {
  module: string;
  columns: readonly SearchColumn[];
}

/** The value of a condition, typed by its column: a day is picked, a choice chosen, "is one of" takes several. */
export function ConditionValue(props: ValueEditorProps) {
  const { value, handleOnChange, operator, field, title } = props;
  const { module, columns } = props.context as BuilderContext;
  const translate = useTranslate();
  const id = useId();
  const column = columns.find((it) => it.name === field);
  if (operator.endsWith('NULL') || !column) return null;
  const text = String(value ?? '');
  const label = { id: `${id}-label`, text: title ?? '' };
  const several = operator === ONE_OF;

  if (column.input === 'select' && column.more && !several) {
    return (
      <Named {...label} htmlFor={id}>
        <RemoteChoice
          id={id}
          module={module}
          field={column.name}
          options={column.options}
          value={text}
          labelledBy={label.id}
          height={32}
          onChange={handleOnChange}
        />
      </Named>
    );
  }
  if (column.input === 'select' && !(several && column.more)) {
    const chosen = valuesIn(text).filter((it) => column.options.some((option) => option.value === it));
    const findOptionName = (it: string) => column.options.find((option) => option.value === it)?.optionName ?? it;
    return (
      <Named {...label} htmlFor={id}>
        <Select
          displayEmpty
          fullWidth
          id={id}
          labelId={label.id}
          multiple={several}
          value={several ? chosen : (chosen[0] ?? '')}
          onChange={(event) => handleOnChange([event.target.value].flat().join(','))}
          renderValue={(it) => [it].flat().map(findOptionName).join(', ') || translate('shell.advanced.any')}
          MenuProps={{ slotProps: { paper: { sx: { maxHeight: 360 } } } }}
        >
          {!several && <MenuItem value="">{translate('shell.advanced.any')}</MenuItem>}
          {column.options.map((it) => (
            <MenuItem key={it.value} value={it.value}>
              {it.optionName}
            </MenuItem>
          ))}
        </Select>
      </Named>
    );
  }
  return (
    <Named {...label} htmlFor={id}>
      <OutlinedInput
        fullWidth
        id={id}
        type={several || column.input === 'number' || column.input === 'select' ? 'text' : column.input}
        value={text}
        multiline={several}
        maxRows={5}
        placeholder={several ? translate('shell.advanced.oneOf') : undefined}
        onChange={(event) => handleOnChange(event.target.value)}
        inputProps={{
          ...(!several && { maxLength: MAX_VALUE }),
          ...(!several && holdsSn(column.name) && snInput),
          ...(column.input === 'number' && { inputMode: 'decimal' }),
          ...(column.input === 'date' && { max: '9999-12-31' }),
          ...(column.input === 'datetime-local' && { step: 1, max: '9999-12-31T23:59:59' }),
        }}
      />
    </Named>
  );
}

/** The builder's controls say what they are only to a mouse; this one says it to a screen reader as well. */
function Named({
  id,
  text,
  htmlFor,
  children,
}: {
  id: string;
  text: string;
  htmlFor: string;
  children: React.ReactNode;
}) {
  return (
    <Box className="rule-value" sx={{ position: 'relative' }}>
      <Box component="label" id={id} htmlFor={htmlFor} sx={unseen}>
        {text}
      </Box>
      {children}
    </Box>
  );
}

const unseen = { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' };
