import { Link } from 'react-router-dom';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import { groupedCount } from '#app/fields/format.ts';
import { tabularSx } from '#app/theme.ts';

export const cardSx = {
  minHeight: 104,
  p: 4,
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'flex-start',
  justifyContent: 'space-between',
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
  bgcolor: 'background.paper',
} as const;

/** On a phone a label may have two lines, and the trend one of its own. */
export const COUNT_HEIGHT = { xs: 108, sm: 72 };

const arrivedSx = {
  ...{ display: 'flex', flexWrap: 'wrap', columnGap: 2, px: { xs: 3, sm: 4 }, color: 'text.secondary' },
  fontSize: 12,
  ...tabularSx,
} as const;

interface CountCardProps {
  label: string;
  count: number;
  /** The list of what it counts; none where it counts nothing. */
  address: string | undefined;
  /** How many units came within the last seven days, and in the seven before. */
  arrived: number;
  arrivedBefore: number;
}

/** One number, which opens the units that it counts, with its trend. */
export function CountCard({ label, count, address, arrived, arrivedBefore }: CountCardProps) {
  const translate = useTranslate();
  const change = arrived - arrivedBefore;
  const trend = change === 0 ? '' : `${change > 0 ? '▲' : '▼'} ${groupedCount(Math.abs(change))}`;
  return (
    <Box
      sx={{
        ...cardSx,
        ...{ minHeight: COUNT_HEIGHT, p: 0, pb: 3, alignItems: 'stretch' },
        '&:has(a:hover)': { borderColor: 'primary.main' },
      }}
    >
      <ButtonBase
        {...(address === undefined ? { component: 'div', disabled: true } : { component: Link, to: address })}
        sx={{
          ...{ flex: 1, alignItems: 'baseline', justifyContent: 'space-between' },
          ...{ px: { xs: 3, sm: 4 }, pt: 3, textAlign: 'left' },
        }}
      >
        <Box component="span" sx={{ color: 'text.secondary', fontSize: 13, lineHeight: '18px' }}>
          {label}
        </Box>
        <Box
          component="span"
          sx={{
            ...{ ml: 2, fontSize: 20, lineHeight: '24px', fontWeight: 600 },
            color: count === 0 ? 'text.secondary' : undefined,
            ...tabularSx,
          }}
        >
          {groupedCount(count)}
        </Box>
      </ButtonBase>
      <Box sx={arrivedSx}>
        <span>{translate('shell.home.arrived', { smart_count: arrived, count: groupedCount(arrived) })}</span>
        {trend && (
          <Box component="span" title={translate('shell.home.trend')} sx={{ whiteSpace: 'nowrap' }}>
            {trend}
          </Box>
        )}
      </Box>
    </Box>
  );
}
