import { useId, useRef } from 'react';
import { useTranslate } from 'ra-core';
import TextField from '@mui/material/TextField';
import type { Option } from '#app/parts/choiceProps.ts';
import { TypedChoice } from '#app/parts/TypedChoice.tsx';
import { useBaseChoices } from '#app/parts/useBaseChoices.ts';
import { useLookup } from '#app/parts/useLookup.ts';
import { deriveLanguage } from '#domain/billLanguage.ts';
import { queryCityByStateId, queryStateByCountryId } from '#domain/lookups.ts';
import { FieldRow, PackageText, type PartProps } from './FieldRow.tsx';
import type { PackageDraft } from './rules.draft.ts';
import { lengthOf } from './rules.ts';

/** More countries than a select list takes. */
const COUNTRIES = 200;

/** Where it goes back to; country, state and city propose the bill type. Rule: parcels#language. */
export function AddressFields(props: PartProps) {
  const { draft, problems, onChange } = props;
  const translate = useTranslate();
  const say = (key: string) => translate(`bills.package.${key}`);
  const countries = useBaseChoices('ubsCountry', 'countryId', 'name', COUNTRIES);
  const { countryCode, stateCode, languageType } = draft;
  const states = useStates(countryCode);
  const cities = useCities(stateCode);
  const move = (part: Partial<PackageDraft>) => {
    const to = { ...draft, ...part };
    onChange({ ...part, languageType: deriveLanguage(to.countryCode, to.stateCode, to.cityName) });
  };
  const isDomestic = languageType === 'zh';
  return (
    <>
      <FieldRow>
        <TypedChoice
          required
          hasRoom
          label={say('country')}
          values={countryCode === '' ? [] : [countryCode]}
          options={countries.options}
          state={countries.state}
          error={problems['countryCode']}
          onChange={([country = '']) => move({ countryCode: country, stateCode: '', stateName: '', cityName: '' })}
        />
        {states.length > 0 || isDomestic ? (
          <TypedChoice
            hasRoom
            required={isDomestic}
            label={say('state')}
            values={stateCode === '' ? [] : [stateCode]}
            options={states}
            disabled={countryCode === ''}
            error={problems['stateCode']}
            onChange={([state = '']) => move({ stateCode: state, stateName: nameOf(states, state), cityName: '' })}
          />
        ) : (
          <PackageText {...props} name="stateName" label={say('state')} />
        )}
        {cities.length > 0 && isDomestic ? (
          <TypedChoice
            hasRoom
            label={say('city')}
            values={draft.cityName === '' ? [] : [draft.cityName]}
            options={cities}
            error={problems['cityName']}
            onChange={([cityName = '']) => move({ cityName })}
          />
        ) : (
          <FreeCity
            value={draft.cityName}
            cities={cities}
            problem={problems['cityName']}
            onChange={onChange}
            onLeave={() => move({})}
          />
        )}
        <PackageText {...props} name="zipcode" label={say('zipcode')} />
      </FieldRow>
      <PackageText {...props} name="street" label={translate('stations.field.address')} />
    </>
  );
}

interface FreeCityProps {
  value: string;
  cities: readonly Option[];
  problem: string | undefined;
  onChange: (part: { cityName: string }) => void;
  /** Another city has been written down. */
  onLeave: () => void;
}

/** A city that no list need have; those that are known are proposed. */
function FreeCity({ value, cities, problem, onChange, onLeave }: FreeCityProps) {
  const translate = useTranslate();
  const id = useId();
  const before = useRef(value);
  return (
    <>
      <TextField
        label={translate('bills.package.city')}
        value={value}
        error={problem !== undefined}
        helperText={problem ?? ' '}
        onChange={(it) => onChange({ cityName: it.target.value })}
        onFocus={() => {
          before.current = value;
        }}
        // Not while it is typed: a half city would turn the form over.
        onBlur={() => value !== before.current && onLeave()}
        slotProps={{ htmlInput: { maxLength: lengthOf('cityName'), autoComplete: 'off', list: id } }}
      />
      <datalist id={id}>
        {cities.map((it) => (
          <option key={it.value} value={it.value} />
        ))}
      </datalist>
    </>
  );
}

function useStates(countryId: string): Option[] {
  const { data } = useLookup(queryStateByCountryId, { countryId }, { enabled: countryId !== '' });
  return (data?.items ?? []).map((it) => ({ value: it.stateId, label: it.name }));
}

/** A city is kept by its name. */
function useCities(stateId: string): Option[] {
  const { data } = useLookup(queryCityByStateId, { stateId }, { enabled: stateId !== '' });
  return (data?.items ?? []).map((it) => ({ value: it.name, label: it.name }));
}

const nameOf = (options: readonly Option[], value: string): string =>
  options.find((it) => it.value === value)?.label ?? '';
