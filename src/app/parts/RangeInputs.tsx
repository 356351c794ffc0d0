import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import TextField from '@mui/material/TextField';
import { dayOf } from '#domain/day.ts';

interface RangeValues {
  startDate: string;
  endDate: string;
}

interface RangeInputsProps {
  value: RangeValues;
  /** Whole months, kept as `yyyy-MM`. */
  byMonth?: boolean;
  required?: boolean;
  autoFocus?: boolean;
  errors: Readonly<Record<string, string>>;
  onChange: (value: RangeValues) => void;
}

/** The first and the last day, or month, of an export, and the ranges that are asked for most. */
export function RangeInputs({
  value,
  byMonth = false,
  required = true,
  autoFocus = true,
  errors,
  onChange,
}: RangeInputsProps) {
  const translate = useTranslate();
  const labels = byMonth ? (['startMonth', 'endMonth'] as const) : (['startDate', 'endDate'] as const);
  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      <Box sx={{ display: 'grid', columnGap: 4, rowGap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
        {(['startDate', 'endDate'] as const).map((name, i) => (
          <TextField
            key={name}
            type={byMonth ? 'month' : 'date'}
            label={translate(`reports.field.${labels[i]}`)}
            autoFocus={autoFocus && i === 0}
            required={required}
            value={value[name]}
            error={Boolean(errors[name])}
            helperText={errors[name] ?? ' '}
            onChange={(event) => onChange({ ...value, [name]: event.target.value })}
            slotProps={{ inputLabel: { shrink: true }, htmlInput: { max: byMonth ? '9999-12' : '9999-12-31' } }}
          />
        ))}
      </Box>
      {!byMonth && (
        <Box sx={{ display: 'flex', gap: 2, flexWrap: 'wrap' }}>
          {Object.entries(presets(today())).map(([name, range]) => (
            <Chip
              key={name}
              size="small"
              variant={isSame(range, value) ? 'filled' : 'outlined'}
              color={isSame(range, value) ? 'primary' : 'default'}
              label={translate(`reports.${name}`)}
              onClick={() => onChange(range)}
            />
          ))}
        </Box>
      )}
    </Box>
  );
}

const isSame = (a: RangeValues, b: RangeValues) => a.startDate === b.startDate && a.endDate === b.endDate;

/** Today where the user is. */
const today = () => dayOf(Date.now(), Intl.DateTimeFormat().resolvedOptions().timeZone);

/** Ranges that end today or with the month before. */
function presets(now: string): Record<'last7' | 'last30' | 'thisMonth' | 'lastMonth', RangeValues> {
  const [year = 0, month = 1] = now.split('-').map(Number);
  const text = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const back = (days: number) => text(Date.parse(`${now}T00:00:00Z`) - days * 86_400_000);
  return {
    last7: { startDate: back(6), endDate: now },
    last30: { startDate: back(29), endDate: now },
    thisMonth: { startDate: text(Date.UTC(year, month - 1, 1)), endDate: now },
    lastMonth: { startDate: text(Date.UTC(year, month - 2, 1)), endDate: text(Date.UTC(year, month - 1, 0)) },
  };
}
