import { useState } from 'react';
import Autocomplete from '@mui/material/Autocomplete';
import { useTranslate } from 'ra-core';
import { ChoiceInput } from '#app/parts/ChoiceInput.tsx';
import { useLater } from '#app/parts/useLater.ts';
import { useLookup } from '#app/parts/useLookup.ts';
import type { DataOf } from '#domain/call.ts';
import { queryBomByName } from '#domain/lookups.ts';

export type Bom = DataOf<typeof queryBomByName>['items'][number];

/** As high as the list of what was found may be, in pixels. */
const LIST_HEIGHT = 250;

interface Props {
  bom: Bom | null;
  problem?: string | undefined;
  onChange: (bom: Bom | null) => void;
}

/** A bill of material, found by words of its name. */
export function BomSearch({ bom, problem, onChange }: Props) {
  const translate = useTranslate();
  const [typed, setTyped] = useState('');
  const bomName = useLater(typed.trim());
  const { data, isFetching, isError } = useLookup(queryBomByName, { bomName }, { enabled: bomName !== '' });
  const isTyped = bomName !== '' && typed.trim() !== '';
  return (
    <Autocomplete
      size="small"
      value={bom}
      options={isTyped ? (data?.items ?? []) : []}
      loading={isFetching}
      // The server has found them by these words.
      filterOptions={(found) => found}
      getOptionLabel={(it) => it.bomdescription}
      getOptionKey={(it) => it.bomid}
      isOptionEqualToValue={(it, other) => it.bomid === other.bomid}
      noOptionsText={translate(
        isTyped ? (isError ? 'shell.form.options.failed' : 'shell.form.noChoice') : 'shell.form.typeToFind',
      )}
      loadingText={translate('shell.form.finding')}
      slotProps={{ listbox: { style: { maxHeight: LIST_HEIGHT } } }}
      onInputChange={(_, text, reason) => setTyped(reason === 'input' ? text : '')}
      onChange={(_, it) => onChange(it)}
      renderInput={(params) => (
        <ChoiceInput params={params} label={translate('bills.onSite.bom')} name="bom" problem={problem} />
      )}
    />
  );
}
