import dayjs, { type Dayjs } from 'dayjs';
import 'dayjs/locale/zh-cn';
import utc from 'dayjs/plugin/utc.js';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Popover from '@mui/material/Popover';
import { AdapterDayjs } from '@mui/x-date-pickers/AdapterDayjs';
import { DateCalendar } from '@mui/x-date-pickers/DateCalendar';
import { LocalizationProvider } from '@mui/x-date-pickers/LocalizationProvider';
import { enUS, zhCN } from '@mui/x-date-pickers/locales';
import { MultiSectionDigitalClock } from '@mui/x-date-pickers/MultiSectionDigitalClock';
import { dayOf } from '#domain/day.ts';
import { workshopZone } from '#app/fields/format.ts';
import { type DateKind, type Edge, rangeNames, rangesOf, type RangeName } from '#app/fields/typedDate.ts';
import { useLanguage } from '#app/session.ts';
import { tabularSx } from '#app/theme.ts';

interface CalendarProps {
  kind: DateKind;
  /** As it is written; empty for none. */
  value: string;
  edge: Edge;
  anchor: () => HTMLElement | null;
  onPick: (value: string) => void;
  onClose: () => void;
}

const formats = { day: 'YYYY-MM-DD', moment: 'YYYY-MM-DD HH:mm:ss', month: 'YYYY-MM' } as const;

/** Weeks and months as each language has them: its words, and the day with which a week begins. */
const languages = {
  zh: { locale: 'zh-cn', texts: zhCN, header: 'YYYY年M月' },
  en: { locale: 'en', texts: enUS, header: 'MMMM YYYY' },
} as const;

// What is shown here is in no time zone: in UTC no clock is ever changed.
dayjs.extend(utc);

/** Today is the workshop's. */
class WorkshopDays extends AdapterDayjs {
  constructor(options?: ConstructorParameters<typeof AdapterDayjs>[0]) {
    super(options);
    const { date } = this;
    const today = () => date(dayOf(Date.now(), workshopZone()), 'UTC');
    this.date = (value, zone) => (value === undefined ? (today() as ReturnType<typeof date>) : date(value, zone));
  }
}

/** What is picked instead of typed: presets, a calendar, and for a moment its time. */
export default function Calendar({ kind, value, edge, anchor, onPick, onClose }: CalendarProps) {
  const translate = useTranslate();
  const language = languages[useLanguage()];
  const today = dayOf(Date.now(), workshopZone());
  const day = value === '' ? null : dayjs.utc(value.replace(' ', 'T')).locale(language.locale);
  const reference = dayjs.utc(today).locale(language.locale);

  const pick = (picked: Dayjs | null, isLast: boolean) => {
    if (!picked) return;
    onPick(picked.format(formats[kind]));
    if (isLast) onClose();
  };
  /** A day without a time begins there where the range begins, and ends with it, or stays a day. */
  const pickDay = (picked: Dayjs | null) => {
    if (kind !== 'moment' || !picked) return pick(picked, true);
    if (edge === 'whole' && value.length <= formats.day.length) return onPick(picked.format(formats.day));
    pick(day ? picked : edge === 'end' ? picked.endOf('day') : picked.startOf('day'), false);
  };
  const pickPreset = (name: RangeName) => {
    const range = rangesOf(today)[name];
    const text = edge === 'end' ? range.endDate : range.startDate;
    const moment = edge === 'whole' ? text : `${text} ${edge === 'end' ? '23:59:59' : '00:00:00'}`;
    onPick({ day: text, month: text.slice(0, 7), moment }[kind]);
    onClose();
  };
  return (
    <LocalizationProvider
      dateAdapter={WorkshopDays}
      adapterLocale={language.locale}
      localeText={language.texts.components.MuiLocalizationProvider.defaultProps.localeText}
    >
      <Popover
        open
        anchorEl={anchor}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        onClose={onClose}
        slotProps={{ paper: { role: 'dialog', 'aria-label': translate('shell.date.choose') } }}
      >
        <Box sx={{ display: 'flex', flexWrap: { xs: 'wrap', sm: 'nowrap' } }}>
          <Box sx={presetsSx}>
            {presetsOf(kind, edge).map((it) => (
              <Button key={it} color="inherit" onClick={() => pickPreset(it)}>
                {translate(`shell.date.${it}`)}
              </Button>
            ))}
          </Box>
          <DateCalendar
            autoFocus
            timezone="UTC"
            views={kind === 'month' ? ['year', 'month'] : ['year', 'day']}
            openTo={kind === 'month' ? 'month' : 'day'}
            value={day}
            referenceDate={reference}
            onChange={(picked, state) => state === 'finish' && pickDay(picked)}
            slotProps={{ calendarHeader: { format: language.header } }}
            sx={{ width: 296, height: 'auto', maxHeight: 330, m: 0 }}
          />
          {kind === 'moment' && (
            <Box sx={{ display: 'flex', flexDirection: 'column', borderLeft: 1, borderColor: 'divider' }}>
              <MultiSectionDigitalClock
                ampm={false}
                timezone="UTC"
                views={['hours', 'minutes', 'seconds']}
                timeSteps={{ hours: 1, minutes: 1, seconds: 1 }}
                value={day}
                referenceDate={edge === 'end' ? reference.endOf('day') : reference}
                onChange={(picked) => pick(picked, false)}
                sx={{ flex: 1, height: 270, maxHeight: 'none', ...tabularSx, '& > ul': { maxHeight: 'none' } }}
              />
              <Button variant="contained" onClick={onClose} sx={{ m: 2 }}>
                {translate('shell.date.done')}
              </Button>
            </Box>
          )}
        </Box>
      </Popover>
    </LocalizationProvider>
  );
}

/** Of a range the days that most begin or end with; else what is near. */
function presetsOf(kind: DateKind, edge: Edge): readonly RangeName[] {
  if (kind === 'month') return ['thisMonth', 'lastMonth'];
  return edge === 'start' || edge === 'end' ? rangeNames : ['today', 'yesterday'];
}

const presetsSx = {
  display: 'flex',
  flexDirection: { xs: 'row', sm: 'column' },
  flexWrap: 'wrap',
  alignItems: { sm: 'stretch' },
  p: 2,
  gap: 0.5,
  borderRight: { sm: 1 },
  borderColor: { sm: 'divider' },
  '& button': { justifyContent: 'flex-start', fontWeight: 400 },
} as const;
