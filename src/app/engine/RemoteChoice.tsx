import { useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import Autocomplete from '@mui/material/Autocomplete';
import InputAdornment from '@mui/material/InputAdornment';
import TextField from '@mui/material/TextField';
import type { FoundChoices, WireOption } from '#app/engine/wire.ts';
import { sendTo } from '#app/send.ts';
import { useLanguage } from '#app/session.ts';

interface Props {
  id: string;
  module: string;
  field: string;
  /** The first choices, which the server sent along. */
  options: readonly WireOption[];
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  label?: React.ReactNode;
  labelledBy: string;
  describedBy?: string;
  placeholder?: string;
  required?: boolean;
  disabled?: boolean;
  autoFocus?: boolean;
  inputRef?: React.Ref<HTMLInputElement>;
  height?: number;
}

const PAUSE = 200;
const nothing: readonly WireOption[] = [];

/** One of more rows than a list brings: what is typed is looked for by the server. */
export function RemoteChoice(props: Props) {
  const { id, module, field, options, value, onChange, onBlur, label, labelledBy, describedBy, height = 40 } = props;
  const translate = useTranslate();
  const [typed, setTyped] = useState('');
  const search = useLater(typed);
  const named = useFound(module, field, { value }, value !== '' && !options.some((it) => it.value === value));
  const chosen = [...options, ...(named.data?.options ?? nothing)].find((it) => it.value === value);
  const asks = search !== '' && search !== chosen?.optionName;
  const { data, isFetching } = useFound(module, field, { search }, asks);
  const offered = asks ? (data?.options ?? nothing) : options;
  const current = value === '' ? null : (chosen ?? { value, optionName: value });
  return (
    <Autocomplete
      id={id}
      fullWidth
      className="remote-choice"
      value={current}
      options={offered}
      disabled={props.disabled ?? false}
      loading={isFetching}
      filterOptions={(it) => it}
      getOptionLabel={(it) => it.optionName}
      getOptionKey={(it) => it.value}
      isOptionEqualToValue={(a, b) => a.value === b.value}
      onInputChange={(_, text) => setTyped(text.trim())}
      onChange={(_, it) => onChange(it?.value ?? '')}
      onBlur={onBlur}
      noOptionsText={translate('shell.form.noChoice')}
      loadingText={translate('shell.form.finding')}
      renderInput={(params) => (
        <TextField
          {...params}
          inputRef={props.inputRef}
          autoFocus={props.autoFocus ?? false}
          placeholder={props.placeholder ?? translate('shell.form.typeToFind')}
          slotProps={{
            htmlInput: {
              ...params.inputProps,
              maxLength: 200,
              'aria-labelledby': labelledBy,
              ...(describedBy && { 'aria-describedby': describedBy }),
              ...(props.required && { 'aria-required': true }),
            },
            input: {
              ...params.InputProps,
              ...(label !== undefined && {
                startAdornment: (
                  <InputAdornment position="start" id={labelledBy} sx={{ '& label': { fontSize: 13 } }}>
                    {label}
                  </InputAdornment>
                ),
              }),
              sx: { minHeight: height, py: '0 !important', fontSize: height < 40 ? 13 : 14 },
            },
          }}
        />
      )}
    />
  );
}

function useFound(module: string, field: string, input: { search: string } | { value: string }, enabled: boolean) {
  const lang = useLanguage();
  return useQuery({
    queryKey: [module, 'options', field, input, lang],
    queryFn: ({ signal }) =>
      sendTo<FoundChoices>(
        { method: 'GET', path: `/api/${module}/options.json`, writes: false },
        { field, ...input },
        { signal },
      ),
    enabled,
    staleTime: 60_000,
  });
}

function useLater(text: string): string {
  const [later, setLater] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setLater(text), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return later;
}
