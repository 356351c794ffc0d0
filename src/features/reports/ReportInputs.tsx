import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import ListItemText from '@mui/material/ListItemText';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { Choice } from '#app/parts/Choice.tsx';
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
  const { data } = useLookup(loadUserSites, {}, { enabled: needsSites });
  const sites = (data?.items ?? []).map((it) => ({ value: it.siteId, label: it.siteName }));
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
              ? [{ value: '', label: translate('reports.field.allSites') }, ...sites]
              : Object.values(ReportType).map((it) => ({ value: it, label: translate(`reports.types.${it}`) }));
          return (
            <Choice
              key={input}
              label={translate(`reports.field.${input}`)}
              value={value}
              options={options}
              required={input === 'reportType'}
              error={error}
              hasRoom
              onChange={(it) => onChange({ [name]: it })}
            />
          );
        }
        if (input === 'sites') {
          return <Sites key={input} value={value} sites={sites} onChange={(it) => onChange({ [name]: it })} />;
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

interface SitesProps {
  value: string;
  sites: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

/** Several sites; none chosen means all of the user's. */
function Sites({ value, sites, onChange }: SitesProps) {
  const translate = useTranslate();
  const chosen = value === '' ? [] : value.split(',');
  const labelOf = (id: string) => sites.find((it) => it.value === id)?.label ?? id;
  return (
    <TextField
      select
      label={translate('reports.field.sites')}
      value={chosen}
      helperText=" "
      onChange={(event) => onChange(([] as string[]).concat(event.target.value).join(','))}
      sx={{ gridColumn: '1 / -1', '& .MuiSelect-select': { height: 38, lineHeight: '38px', minHeight: 0 } }}
      slotProps={{
        inputLabel: { shrink: true },
        select: {
          multiple: true,
          displayEmpty: true,
          renderValue: (it) => (it as string[]).map(labelOf).join('、') || translate('reports.field.allSites'),
        },
      }}
    >
      {sites.map((it) => (
        <MenuItem key={it.value} value={it.value} dense>
          <Checkbox size="small" checked={chosen.includes(it.value)} tabIndex={-1} disableRipple sx={{ p: 0, mr: 2 }} />
          <ListItemText primary={it.label} />
        </MenuItem>
      ))}
    </TextField>
  );
}
