import { useRef } from 'react';
import Box from '@mui/material/Box';
import InputAdornment from '@mui/material/InputAdornment';
import TextField from '@mui/material/TextField';
import EditCalendar from '@mui/icons-material/EditCalendar';
import { IconAction } from '#app/parts/IconAction.tsx';

interface Props {
  label: string;
  value: string;
  problem: string | undefined;
  /** What the button says that opens the browser's own calendar. */
  choose: string;
  onChange: (value: string) => void;
}

const FORMAT = 'yyyy-MM-dd HH:mm:ss';

/** A moment as people write it, typed or chosen from the browser's calendar. Rule: events#e38. */
export function MomentField({ label, value, problem, choose, onChange }: Props) {
  const calendar = useRef<HTMLInputElement>(null);
  return (
    <Box sx={{ position: 'relative' }}>
      <TextField
        required
        fullWidth
        label={label}
        value={value}
        placeholder={FORMAT}
        error={problem !== undefined}
        helperText={problem ?? FORMAT}
        onChange={(it) => onChange(it.target.value)}
        slotProps={{
          inputLabel: { shrink: true },
          htmlInput: { maxLength: FORMAT.length, autoComplete: 'off', spellCheck: false },
          input: {
            endAdornment: (
              <InputAdornment position="end">
                <IconAction label={choose} Icon={EditCalendar} onClick={() => calendar.current?.showPicker()} />
              </InputAdornment>
            ),
          },
        }}
      />
      <input
        ref={calendar}
        type="datetime-local"
        step={1}
        tabIndex={-1}
        aria-hidden
        value={value.replace(' ', 'T')}
        onChange={(it) => onChange(withSeconds(it.target.value))}
        style={{ position: 'absolute', right: 0, bottom: 24, width: 0, height: 0, border: 0, opacity: 0 }}
      />
    </Box>
  );
}

/** A calendar leaves out seconds that are none. */
const withSeconds = (text: string): string => (text.length === 16 ? `${text}:00` : text).replace('T', ' ');
