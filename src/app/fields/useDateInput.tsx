import { lazy, Suspense, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslate } from 'ra-core';
import InputAdornment from '@mui/material/InputAdornment';
import IconButton from '@mui/material/IconButton';
import CalendarToday from '@mui/icons-material/CalendarTodayOutlined';
import { dateFormats, readTypedDate, type DateKind, type Edge } from '#app/fields/typedDate.ts';
import { useNotices } from '#app/notify.ts';

/** The picker is as heavy as a page: it comes when somebody is about to open it; typing needs none of it. */
const loadCalendar = () => import('#app/fields/Calendar.tsx');
const Calendar = lazy(loadCalendar);

export interface DateInputOptions {
  kind: DateKind;
  /** As it is written, `2026-11-03`; what is none of the kind is shown as it was typed. */
  value: string;
  /** Of a range: says which ranges are offered, and which time a picked day has. */
  edge?: Edge;
  disabled?: boolean | undefined;
  /** What was meant, empty while it is none; and what was typed. */
  onChange: (value: string, typed: string) => void;
  onBlur?: (() => void) | undefined;
}

/**
 * A date that is typed, pasted or picked, for the input that it is given to. What is typed stays as it is until the field
 * is left.
 */
export function useDateInput({ kind, value, edge, disabled = false, onChange, onBlur }: DateInputOptions) {
  const translate = useTranslate();
  const notices = useNotices();
  const [draft, setDraft] = useState<string | null>(null);
  const [isTyping, setIsTyping] = useState(false);
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // Something else has set the field meanwhile: what was typed before is gone.
  const read = (text: string) => readTypedDate(kind, text, edge);
  const isDraft = draft !== null && read(draft) === read(value);
  const shown = isDraft ? draft : value;
  const isWrong = !isTyping && shown !== '' && read(shown) === '';
  const label = translate('shell.date.choose');

  const open = () => {
    if (disabled) return;
    loadCalendar().then(
      () => setIsOpen(true),
      (error: unknown) => notices.failed(label, error),
    );
  };
  const type = (text: string) => {
    setDraft(text);
    onChange(read(text), text);
  };
  return {
    problem: isWrong ? translate('shell.date.wrong', { format: dateFormats[kind] }) : undefined,
    input: {
      value: shown,
      placeholder: dateFormats[kind],
      onChange: (event: { target: { value: string } }) => type(event.target.value),
      onFocus: () => setIsTyping(true),
      onBlur: () => {
        setIsTyping(false);
        if (read(shown) !== '') setDraft(null);
        onBlur?.();
      },
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'ArrowDown' || !event.altKey) return;
        event.preventDefault();
        open();
      },
      endAdornment: (
        <InputAdornment position="end" sx={{ ml: 0, mr: -2 }}>
          <IconButton
            ref={button}
            size="small"
            disabled={disabled}
            aria-label={label}
            aria-haspopup="dialog"
            title={`${label} (Alt+↓)`}
            onPointerEnter={() => void loadCalendar().catch(() => undefined)}
            onClick={open}
          >
            <CalendarToday sx={{ fontSize: 16 }} />
          </IconButton>
          {isOpen && (
            <Suspense fallback={null}>
              <Calendar
                kind={kind}
                value={read(shown)}
                edge={edge}
                anchor={() => button.current}
                onPick={(picked) => {
                  setDraft(null);
                  onChange(picked, picked);
                }}
                onClose={() => setIsOpen(false)}
              />
            </Suspense>
          )}
        </InputAdornment>
      ),
    },
    html: { autoComplete: 'off', spellCheck: false, maxLength: 32 },
  };
}
