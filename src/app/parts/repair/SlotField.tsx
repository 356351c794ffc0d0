import Autocomplete from '@mui/material/Autocomplete';
import { useTranslate } from 'ra-core';
import { ChoiceInput } from '#app/parts/ChoiceInput.tsx';
import { OptionRow } from '#app/parts/OptionRow.tsx';
import { useLookup } from '#app/parts/useLookup.ts';
import type { DataOf } from '#domain/call.ts';
import { queryBomItemByBomId } from '#domain/lookups.ts';
import { parseSlots } from '#domain/slots.ts';

type Slot = DataOf<typeof queryBomItemByBomId>['items'][number];

/** More than anybody reads through; what is typed narrows them down. */
const SHOWN = 50;

/** U2 before U10, as on the board. */
const byLocation = (a: Slot, b: Slot) => a.location.localeCompare(b.location, 'en', { numeric: true });

interface Props {
  label: string;
  /** Slots as they are entered, with commas between them. */
  value: string;
  required: boolean;
  problem: string | undefined;
  /** The bill of material of the model; without one slots are typed. */
  bomId: string | null;
  onChange: (value: string) => void;
  /** One of the bill of material was chosen: what is there. */
  onChoose: (value: string, slot: Slot) => void;
}

/** One slot or several, typed or chosen from the bill of material. Rule: repairing#slots. */
export function SlotField({ label, value, required, problem, bomId, onChange, onChoose }: Props) {
  const translate = useTranslate();
  const { data } = useLookup(queryBomItemByBomId, { bomId: bomId ?? '' }, { enabled: bomId !== null });
  const entered = value.split(/[,、，]/);
  const typed = entered.at(-1)?.trim().toUpperCase() ?? '';
  const chosen = parseSlots(entered.slice(0, -1).join(','));
  const fits = ({ location, productName }: Slot) =>
    !chosen.includes(location.toUpperCase()) &&
    (location.toUpperCase().startsWith(typed) || (productName ?? '').toUpperCase().includes(typed));
  const choose = (slot: Slot) => onChoose([...entered.slice(0, -1), slot.location].join(','), slot);
  return (
    <Autocomplete
      freeSolo
      size="small"
      disableClearable
      value=""
      inputValue={value}
      // What is below the field stays within reach.
      slotProps={{ listbox: { sx: { maxHeight: 132 } } }}
      options={data?.items ?? []}
      filterOptions={(slots) => slots.filter(fits).sort(byLocation).slice(0, SHOWN)}
      getOptionLabel={(it) => (typeof it === 'string' ? it : it.location)}
      getOptionKey={(it) => (typeof it === 'string' ? it : it.location)}
      onInputChange={(_, text, reason) => {
        if (reason === 'input') onChange(text);
      }}
      onChange={(_, it) => {
        if (typeof it !== 'string') choose(it);
      }}
      renderOption={({ key, ...props }, { location, productName }) => (
        <OptionRow key={key} {...props} code={location} words={productName} codeWidth={48} />
      )}
      renderInput={(params) => (
        <ChoiceInput
          params={params}
          label={label}
          name="slot"
          required={required}
          problem={problem}
          htmlInput={{ placeholder: translate('stations.repair.slotHint') }}
        />
      )}
    />
  );
}
