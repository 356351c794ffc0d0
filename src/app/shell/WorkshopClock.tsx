import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Tooltip from '@mui/material/Tooltip';
import ScheduleOutlined from '@mui/icons-material/ScheduleOutlined';
import { offsetAt } from '#domain/day.ts';
import { workshopZone } from '#app/fields/format.ts';
import { useIsPhone } from '#app/shell/appearance.ts';
import { useUser } from '#app/session.ts';

/** Where the reader's own clock is another, says whose days and times all pages show. Rule: screens#dates. */
export function WorkshopClock() {
  const translate = useTranslate();
  const isPhone = useIsPhone();
  useUser();
  const zone = workshopZone();
  if (!isElsewhere(zone, Date.now())) return null;
  const told = translate('shell.clock.told', { zone });
  return (
    <Tooltip title={told}>
      <Box
        role="note"
        aria-label={told}
        tabIndex={0}
        sx={{ display: 'flex', alignItems: 'center', gap: 1, px: 1, fontSize: 12, color: 'text.secondary' }}
      >
        <ScheduleOutlined fontSize="small" />
        {!isPhone && zone}
      </Box>
    </Tooltip>
  );
}

const HALF_A_YEAR_MS = 182 * 86_400_000;

/** Clocks that agree now and in half a year agree all year. */
const isElsewhere = (zone: string, now: number): boolean =>
  [now, now + HALF_A_YEAR_MS].some((at) => offsetAt(at, zone) !== -new Date(at).getTimezoneOffset() * 60_000);
