import { useId } from 'react';
import type { ValueEditorProps } from 'react-querybuilder';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import OutlinedInput from '@mui/material/OutlinedInput';
import { MAX_VALUE, valuesIn } from '#domain/searchBounds.ts';
import { isDate, isPart, ONE_OF, type SearchColumn } from '#app/engine/advancedQuery.ts';
import type { Edge } from '#app/fields/typedDate.ts';
import { DateInput } from '#app/fields/DateInput.tsx';
import { Choice } from '#app/parts/Choice.tsx';
import { unseen } from '#app/parts/ChoiceInput.tsx';
import { ManyChoice } from '#app/parts/ManyChoice.tsx';
import { toOptions } from '#app/parts/toOptions.ts';
import { snInput } from '#app/parts/scan/labels.ts';
import { holdsSn } from '#domain/sn.ts';

export interface BuilderContext {
  module: string;
  columns: readonly SearchColumn[];
}

/** A day alone stands for all of it where it is equalled, else for its beginning or its end, as the relation asks. */
const edges: Record<string, Edge> = {
  EQUAL_TO: 'whole',
  NOT_EQUAL_TO: 'whole',
  GREATER_THAN: 'end',
  GREATER_THAN_OR_EQUAL_TO: 'start',
  LESS_THAN: 'start',
  LESS_THAN_OR_EQUAL_TO: 'end',
};

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

  // A part of a name is typed.
  if (column.input === 'select' && !isPart(operator, column)) {
    const choice = {
      label: title ?? '',
      place: 'unseen' as const,
      minWidth: 0,
      options: toOptions(column.options),
      asked: column.more ? { module, field: column.name, all: true as const } : undefined,
      none: translate('shell.advanced.any'),
    };
    return (
      <Box className="rule-value">
        {several ? (
          <ManyChoice
            {...choice}
            hasRoom={false}
            values={valuesIn(text)}
            onChange={(it) => handleOnChange(it.join(','))}
          />
        ) : (
          <Choice {...choice} value={valuesIn(text)[0] ?? ''} onChange={handleOnChange} />
        )}
      </Box>
    );
  }
  if (isDate(column.input) && !several) {
    return (
      <Named {...label} htmlFor={id}>
        <DateInput
          fullWidth
          id={id}
          kind={column.input}
          edge={edges[operator]}
          value={text}
          onChange={(it) => handleOnChange(it)}
        />
      </Named>
    );
  }
  return (
    <Named {...label} htmlFor={id}>
      <OutlinedInput
        fullWidth
        id={id}
        value={text}
        multiline={several}
        maxRows={5}
        placeholder={several ? translate('shell.advanced.oneOf') : undefined}
        onChange={(event) => handleOnChange(event.target.value)}
        inputProps={{
          // A number that is cut is another one.
          ...(!several && column.input !== 'number' && { maxLength: MAX_VALUE }),
          ...(!several && holdsSn(column.name) && snInput),
          ...(column.input === 'number' && { inputMode: 'decimal' }),
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
