import { useState } from 'react';
import { useTranslate } from 'ra-core';
import Autocomplete from '@mui/material/Autocomplete';
import type { Option } from '#app/parts/choiceProps.ts';
import { ChoiceInput } from '#app/parts/ChoiceInput.tsx';
import { NoChoices } from '#app/parts/NoChoices.tsx';
import { OptionRow } from '#app/parts/OptionRow.tsx';
import { plainText } from '#domain/sn.ts';

interface Props {
  label: string;
  value: string;
  options: readonly Option[];
  /** By keyboard, mouse or touch. */
  onChoose: (value: string) => void;
  required?: boolean;
  error?: string | undefined;
  /** The field's name in a form that leads from one field to the next. */
  name: string;
}

/** One of several, chosen by its number or by its name: `8`, Enter. */
export function QuickChoice({ label, value, options, onChoose, required, error, name }: Props) {
  const translate = useTranslate();
  const chosen = options.find((it) => it.value === value);
  const [openedBy, setOpenedBy] = useState<'hand' | 'typing' | null>(null);
  return (
    <Autocomplete<Option, false, boolean>
      size="small"
      autoHighlight
      disableClearable={chosen !== undefined}
      value={chosen ?? null}
      options={options}
      open={openedBy !== null}
      onOpen={(event) => setOpenedBy(event.type === 'change' ? 'typing' : 'hand')}
      onClose={() => setOpenedBy(null)}
      // A code that was scanned here is taken out again: then nobody is choosing who was not before.
      onInputChange={(_, text, reason) => {
        if (reason === 'input' && openedBy === 'typing' && text === (chosen?.label ?? '')) setOpenedBy(null);
      }}
      filterOptions={(all, { inputValue }) => fitting(all, inputValue === chosen?.label ? '' : inputValue)}
      noOptionsText={options.length === 0 ? <NoChoices isPressable /> : translate('shell.form.noChoice')}
      onChange={(_, it) => it && onChoose(it.value)}
      isOptionEqualToValue={(it, other) => it.value === other.value}
      renderOption={({ key, ...props }, it) => (
        <OptionRow key={key} {...props} code={it.value} words={it.label} codeWidth={24} first="words" />
      )}
      renderInput={(params) => (
        <ChoiceInput params={params} label={label} name={name} required={required} problem={error} />
      )}
    />
  );
}

/** Whose number it is comes first, then those whose number begins so, then those with these words. */
function fitting(options: readonly Option[], text: string): Option[] {
  const typed = plainText(text).toLowerCase();
  if (typed === '') return [...options];
  const rank = ({ value, label }: Option) =>
    value === typed ? 0 : value.startsWith(typed) ? 1 : label.toLowerCase().includes(typed) ? 2 : 3;
  return options.filter((it) => rank(it) < 3).sort((a, b) => rank(a) - rank(b));
}
