import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { Choice } from '#app/parts/Choice.tsx';
import { DateField } from '#app/parts/DateField.tsx';
import { ManyChoice } from '#app/parts/ManyChoice.tsx';
import { useLookup } from '#app/parts/useLookup.ts';
import { loadUserSites } from '#domain/lookups.ts';
import { ReportType, type Input } from '#domain/reports.ts';

/** What was entered besides the range; several sites are parted by commas, as they are sent. */
export type InputValues = Partial<Record<(typeof fieldOf)[Input], string>>;

/** Which parameter carries which input. Rule: reports#dialogs. */
const fieldOf = {
  site: 'siteId',
  sites: 'repairSiteIds',
  reportType: 'reportType',
  salesCodeDesc: 'salesCodeDesc',
  mtbId: 'mtbId',
  btmMtbId: 'btmMtbId',
  btmUserId: 'btmUserId',
  asOf: 'asOf',
} as const;

const lengths = { salesCodeDesc: 100, mtbId: 64, btmMtbId: 50, btmUserId: 100 } as const;

interface ReportInputsProps {
  inputs: readonly Input[];
  values: InputValues;
  errors: Readonly<Record<string, string>>;
  onChange: (part: InputValues) => void;
}

/** The inputs of a report besides its range, two side by side. */
export function ReportInputs({ inputs, values, errors, onChange }: ReportInputsProps) {
  const translate = useTranslate();
  const needsSites = inputs.includes('site') || inputs.includes('sites');
  const { data, isLoading, isError } = useLookup(loadUserSites, {}, { enabled: needsSites });
  const sites = (data?.items ?? []).map((it) => ({ value: it.siteId, label: it.siteName }));
  const state = isLoading ? 'loading' : isError ? 'failed' : undefined;
  if (inputs.length === 0) return null;

  return (
    <Box sx={{ display: 'grid', columnGap: 4, rowGap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
      {inputs.map((input) => {
        const name = fieldOf[input];
        const value = values[name] ?? '';
        const error = errors[name];
        if (input === 'site' || input === 'reportType') {
          const options =
            input === 'site'
              ? sites
              : Object.values(ReportType).map((it) => ({ value: it, label: translate(`reports.types.${it}`) }));
          return (
            <Choice
              key={input}
              label={translate(`reports.field.${input}`)}
              value={value}
              options={options}
              {...(input === 'site' && { state, none: translate('reports.field.allSites') })}
              required={input === 'reportType'}
              error={error}
              hasRoom
              onChange={(it) => onChange({ [name]: it })}
            />
          );
        }
        if (input === 'sites') {
          return (
            <Box key={input} sx={{ gridColumn: '1 / -1' }}>
              <ManyChoice
                name={name}
                label={translate('reports.field.sites')}
                none={translate('reports.field.allSites')}
                values={value === '' ? [] : value.split(',')}
                options={sites}
                state={state}
                onChange={(it) => onChange({ [name]: it.join(',') })}
              />
            </Box>
          );
        }
        if (input === 'asOf') {
          return (
            <DateField
              key={input}
              kind="moment"
              label={translate('reports.field.asOf')}
              hint={translate('reports.asOfHint')}
              value={value}
              problem={error}
              onChange={(it, typed) => onChange({ [name]: it || typed })}
            />
          );
        }
        return (
          <TextField
            key={input}
            label={translate(`reports.field.${input === 'mtbId' && inputs.length > 2 ? 'repairOrder' : input}`)}
            value={value}
            helperText=" "
            onChange={(event) => onChange({ [name]: event.target.value })}
            slotProps={{ htmlInput: { maxLength: lengths[input] } }}
          />
        );
      })}
    </Box>
  );
}
