import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import { dayOf } from '#domain/day.ts';
import { workshopZone } from '#app/fields/format.ts';
import { type DateRange, rangeNames, rangesOf } from '#app/fields/typedDate.ts';
import { DateField } from '#app/parts/DateField.tsx';

interface Props {
  value: DateRange;
  /** Whole months, kept as `yyyy-MM`. */
  byMonth?: boolean;
  required?: boolean;
  autoFocus?: boolean;
  errors: Readonly<Record<string, string>>;
  onChange: (value: DateRange) => void;
}

/** The first and the last day, or month, and the ranges that are asked for most. */
export function RangeField({ value, byMonth = false, required = true, autoFocus = true, errors, onChange }: Props) {
  const translate = useTranslate();
  const labels = byMonth ? (['startMonth', 'endMonth'] as const) : (['startDate', 'endDate'] as const);
  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      <Box sx={{ display: 'grid', columnGap: 4, rowGap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
        {(['startDate', 'endDate'] as const).map((name, i) => (
          <DateField
            key={name}
            kind={byMonth ? 'month' : 'day'}
            edge={i === 0 ? 'start' : 'end'}
            label={translate(`reports.field.${labels[i]}`)}
            autoFocus={autoFocus && i === 0}
            required={required}
            value={value[name]}
            problem={errors[name]}
            onChange={(it) => onChange({ ...value, [name]: it })}
          />
        ))}
      </Box>
      <Box sx={{ display: 'flex', gap: 2, flexWrap: 'wrap' }}>
        {presets(byMonth).map(([name, range]) => (
          <Chip
            key={name}
            size="small"
            variant={isSame(range, value) ? 'filled' : 'outlined'}
            color={isSame(range, value) ? 'primary' : 'default'}
            label={translate(`shell.date.${name}`)}
            onClick={() => onChange(range)}
          />
        ))}
      </Box>
    </Box>
  );
}

const isSame = (a: DateRange, b: DateRange) => a.startDate === b.startDate && a.endDate === b.endDate;

function presets(byMonth: boolean): (readonly [string, DateRange])[] {
  const all = rangesOf(dayOf(Date.now(), workshopZone()));
  if (!byMonth) return rangeNames.map((it) => [it, all[it]]);
  return (['thisMonth', 'lastMonth'] as const).map((it) => {
    const { startDate, endDate } = all[it];
    return [it, { startDate: startDate.slice(0, 7), endDate: endDate.slice(0, 7) }];
  });
}
