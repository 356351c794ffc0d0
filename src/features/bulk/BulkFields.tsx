import { useQuery } from '@tanstack/react-query';
import { useDataProvider, useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import type { EngineProvider } from '#app/dataProvider.ts';
import { FieldInput } from '#app/engine/FieldInput.tsx';
import { isBlank } from '#domain/definition/fieldRules.ts';
import { useReasonOf } from '#app/notify.ts';
import { useLanguage } from '#app/session.ts';

interface Props {
  menuNo: string;
  module: string;
  /** A row whose form says which fields there are. */
  rowId: number;
  /** Null for a field that is to be left empty. */
  values: Readonly<Record<string, unknown>>;
  /** The preview was asked for: what is chosen and not filled in says so. */
  isAsked: boolean;
  onChange: (values: Record<string, unknown>) => void;
}

/** The fields of the list's form; those that are ticked get one value in every row. */
export function BulkFields({ menuNo, module, rowId, values, isAsked, onChange }: Props) {
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  const language = useLanguage();
  const provider = useDataProvider<EngineProvider>();
  const { data, error } = useQuery({
    queryKey: [menuNo, 'bulkFields', rowId, language],
    queryFn: () => provider.toModify(menuNo, rowId),
  });
  if (error) return <Alert severity="error">{reasonOf(error)}</Alert>;
  const fields = (data?.items ?? []).filter((it) => !it.readOnly && it.type !== 'password');
  return (
    <Box
      role="group"
      aria-label={translate('shell.bulk.fields')}
      sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, alignItems: 'start' }}
    >
      {fields.map((field) => {
        const isSet = Object.hasOwn(values, field.queryName);
        const value = values[field.queryName];
        const isUnfilled = isSet && value !== null && isBlank(value);
        const others = Object.fromEntries(Object.entries(values).filter(([name]) => name !== field.queryName));
        return (
          <Box key={field.queryName}>
            <FormControlLabel
              label={translate('shell.bulk.set', { field: field.name })}
              control={
                <Checkbox
                  size="small"
                  checked={isSet}
                  onChange={(event) => onChange(event.target.checked ? { ...values, [field.queryName]: '' } : others)}
                />
              }
            />
            {isSet && value !== null && (
              <FieldInput
                field={field}
                module={module}
                value={value}
                required={field.required ?? false}
                {...(isAsked &&
                  isUnfilled && {
                    error: translate(field.required ? 'shell.bulk.unfilledNeeded' : 'shell.bulk.unfilled'),
                  })}
                onChange={(it) => onChange({ ...values, [field.queryName]: it ?? '' })}
              />
            )}
            {isSet && !field.required && (
              <FormControlLabel
                label={translate('shell.bulk.empty', { field: field.name })}
                control={
                  <Checkbox
                    size="small"
                    checked={value === null}
                    onChange={(event) => onChange({ ...values, [field.queryName]: event.target.checked ? null : '' })}
                  />
                }
              />
            )}
          </Box>
        );
      })}
    </Box>
  );
}
