import { useState } from 'react';
import Autocomplete from '@mui/material/Autocomplete';
import Chip from '@mui/material/Chip';
import { useTranslate } from 'ra-core';
import { ChoiceInput } from '#app/parts/ChoiceInput.tsx';
import type { ChosenCode } from '#app/parts/IssueCodeEntry.tsx';
import { OptionRow } from '#app/parts/OptionRow.tsx';
import { isPlainEnter } from '#app/parts/enter.ts';
import { codeSx } from '#app/theme.ts';
import { normaliseCode } from '#domain/issueCode.ts';

interface Props {
  label: string;
  choices: readonly ChosenCode[];
  codes: readonly ChosenCode[];
  error: string | undefined;
  onChange: (codes: readonly ChosenCode[]) => void;
  /** What was typed or scanned is no code of this step. */
  onUnknown: (why: string) => void;
}

/** The issue codes of a record as chips: typed, scanned or chosen; Backspace takes the last one off. */
export function CodesField({ label, choices, codes, error, onChange, onUnknown }: Props) {
  const translate = useTranslate();
  const [text, setText] = useState('');
  const isIn = (it: ChosenCode) => codes.some((other) => other.codeId === it.codeId);
  const fitting = choices.filter(
    (it) => !isIn(it) && `${it.code} ${it.name}`.toUpperCase().includes(normaliseCode(text)),
  );
  const enter = () => {
    const code = normaliseCode(text);
    const found = choices.find((it) => it.code === code) ?? (fitting.length === 1 ? fitting[0] : undefined);
    setText('');
    if (!found) return onUnknown(translate('stations.noSuchCode', { code }));
    if (!isIn(found)) onChange([...codes, found]);
  };
  return (
    <Autocomplete
      multiple
      disableClearable
      size="small"
      options={choices}
      value={[...codes]}
      inputValue={text}
      filterOptions={() => fitting}
      isOptionEqualToValue={(it, other) => it.codeId === other.codeId}
      getOptionLabel={(it) => it.code}
      getOptionKey={(it) => it.codeId}
      onInputChange={(_, to, reason) => {
        if (reason !== 'reset' && reason !== 'blur') setText(to.toUpperCase());
        if (reason === 'selectOption') setText('');
      }}
      onChange={(_, to) => onChange(to)}
      renderValue={(values, propsOf) =>
        values.map((it, index) => {
          const { key, ...props } = propsOf({ index });
          return <Chip key={key} {...props} size="small" label={it.code} title={it.name} sx={codeSx} />;
        })
      }
      renderOption={({ key, ...props }, { code, name }) => (
        <OptionRow key={key} {...props} code={code} words={name} codeWidth={56} />
      )}
      renderInput={(params) => (
        <ChoiceInput
          params={params}
          label={label}
          name="issueCodeIdList"
          required
          problem={error}
          onKeyDown={(event) => {
            // A code that was scanned or typed is meant as it stands, whatever the list has in front.
            if (!isPlainEnter(event) || text.trim() === '') return;
            const isAimed = event.target instanceof HTMLElement && event.target.hasAttribute('aria-activedescendant');
            if (isAimed && !choices.some((it) => it.code === normaliseCode(text))) return;
            event.preventDefault();
            event.stopPropagation();
            enter();
          }}
          htmlInput={{ required: false, 'data-scan': 'code' }}
        />
      )}
    />
  );
}
