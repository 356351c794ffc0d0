import { useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslate } from 'ra-core';
import Autocomplete, { createFilterOptions } from '@mui/material/Autocomplete';
import Button from '@mui/material/Button';
import type { ChoiceProps, Option } from '#app/parts/choiceProps.ts';
import { ChoiceInput } from '#app/parts/ChoiceInput.tsx';
import { NoChoices } from '#app/parts/NoChoices.tsx';
import { isPlainEnter } from '#app/parts/enter.ts';
import { useFailedReads } from '#app/parts/useFailedReads.ts';
import { useFoundChoices } from '#app/parts/useFoundChoices.ts';

interface Props extends Omit<ChoiceProps, 'value' | 'onChange'> {
  values: readonly string[];
  onChange: (values: string[]) => void;
  /** Several, each a chip that can be taken off. */
  many?: boolean;
  /** The field's name in a form that leads from one field to the next. */
  name?: string;
}

const narrowed = createFilterOptions<Option>();
const isCalled = ({ value, label }: Option, text: string) =>
  [value, label].some((it) => it.toLowerCase() === text.toLowerCase());

/** One or several, by name; typing narrows down what is offered, or has the server look for it. */
export function TypedChoice(props: Props) {
  const { label, values, options, asked, onChange, many = false, none, error, required, disabled = false } = props;
  const translate = useTranslate();
  const id = useId();
  const [typing, setTyping] = useState<string | null>(null);
  const typed = typing?.trim() ?? '';
  // What a scanner typed and sent off is chosen as soon as it is found.
  const [entered, setEntered] = useState('');
  /** What was sent off and is no choice. */
  const [unmatched, setUnmatched] = useState('');
  const { offered, chosen, state, retry, remember } = useFoundChoices(asked, options, values, typed);
  const { readAgain } = useFailedReads();
  const unread = props.state ?? state;
  const isOffered = (it: Option) => offered.some((other) => other.value === it.value);

  const choose = (to: readonly Option[]) => {
    setTyping(null);
    setEntered('');
    setUnmatched('');
    remember(to);
    onChange(to.map((it) => it.value));
  };
  const take = (it: Option) => choose(many ? [...chosen.filter((other) => other.value !== it.value), it] : [it]);
  const onFound = useEffectEvent(() => {
    const found = offered.find((it) => isCalled(it, entered));
    setEntered('');
    if (found) take(found);
    else setUnmatched(entered);
  });
  const isSettled = entered !== '' && entered === typed && unread === undefined;
  useEffect(() => {
    if (isSettled) onFound();
  }, [isSettled]);

  // Enter chooses what somebody aims at, else what is called so; what is chosen already lights up by itself. It sends no
  // form off while what is typed is no choice yet.
  const isAimed = useRef(false);
  const onKeyDown = (event: KeyboardEvent & { defaultMuiPrevented?: boolean }) => {
    if (!isPlainEnter(event) || typed === '') return;
    event.preventDefault();
    if (isAimed.current) return;
    event.defaultMuiPrevented = true;
    // What is known is chosen at once: the next stroke may send the form off.
    const found = unread === undefined && offered.find((it) => isCalled(it, typed));
    if (found) take(found);
    else setEntered(typed);
    // The next scan takes its place, though it comes before the answer.
    if (event.target instanceof HTMLInputElement) event.target.select();
  };
  const empty = none ?? (asked && translate('shell.form.typeToFind'));
  const placeholder = props.state ? translate(`shell.form.options.${props.state}`) : empty;
  const shared = {
    id,
    size: 'small',
    fullWidth: true,
    disabled,
    // What is chosen belongs to them, whether or not it is found by what is typed now.
    options: [...chosen.filter((it) => !isOffered(it)), ...offered],
    loading: unread === 'loading',
    className: 'choice',
    filterOptions: asked ? (from: Option[]) => (typed === '' ? from : from.filter(isOffered)) : narrowed,
    getOptionKey: (it: Option) => it.value,
    isOptionEqualToValue: (it: Option, other: Option) => it.value === other.value,
    inputValue: typing ?? (many ? '' : (chosen[0]?.label ?? '')),
    // `reset` comes with each new set of what is chosen, and says nothing of what is typed.
    onInputChange: (_: unknown, text: string, reason: string) => {
      if (!['input', 'blur', 'clear'].includes(reason)) return;
      setEntered('');
      setUnmatched('');
      setTyping(reason === 'input' ? text : null);
    },
    onHighlightChange: (_: unknown, it: Option | null, reason: string) => {
      isAimed.current = it !== null && reason !== 'auto';
    },
    onKeyDown,
    onBlur: props.onBlur,
    clearText: translate('shell.form.clear', { name: label }),
    openText: translate('shell.form.open', { name: label }),
    closeText: translate('shell.form.close', { name: label }),
    noOptionsText:
      unread === 'failed' ? (
        <>
          {translate('shell.form.options.failed')}{' '}
          <Button size="small" onClick={asked ? retry : readAgain}>
            {translate('shell.form.retry')}
          </Button>
        </>
      ) : !asked && options.length === 0 ? (
        <NoChoices isPressable />
      ) : (
        translate('shell.form.noChoice')
      ),
    loadingText: translate('shell.form.finding'),
    renderInput: (params: Parameters<NonNullable<InputOf>>[0]) => (
      <ChoiceInput
        id={id}
        params={params}
        label={label}
        name={props.name}
        required={required}
        problem={error ?? (unmatched === '' ? undefined : translate('shell.form.unmatched', { text: unmatched }))}
        hasRoom={props.hasRoom ?? false}
        place={props.place}
        inputRef={props.inputRef}
        autoFocus={props.autoFocus}
        htmlInput={{
          maxLength: 200,
          ...(chosen.length === 0 && { placeholder }),
        }}
      />
    ),
  } as const;
  return many ? (
    <Autocomplete
      {...shared}
      multiple
      disableCloseOnSelect
      filterSelectedOptions
      value={chosen}
      onChange={(_, to) => choose(to)}
      slotProps={{ chip: { size: 'small' } }}
    />
  ) : (
    <Autocomplete
      {...shared}
      disableClearable={required === true}
      value={chosen[0] ?? null}
      onChange={(_, to: Option | null) => choose(to ? [to] : [])}
    />
  );
}

type InputOf = React.ComponentProps<typeof Autocomplete>['renderInput'];
