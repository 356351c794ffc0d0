import { type KeyboardEvent, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import InputBase from '@mui/material/InputBase';
import Search from '@mui/icons-material/Search';
import { leavesOf } from '#app/engine/module.ts';
import { GoalRow } from '#app/palette/GoalRow.tsx';
import {
  type Goal,
  NUMBER_MIN,
  fetchNumbers,
  searchScreens,
  listScreens,
  normaliseSearch,
} from '#app/palette/finding.ts';
import { recentGoals, rememberGoal } from '#app/palette/recent.ts';
import { pageNames } from '#app/features.ts';
import { isComposing, isEnter } from '#app/parts/enter.ts';
import { useSeesSns } from '#app/parts/snPage.ts';
import { told } from '#app/queryClient.ts';
import { useMenu, useUser } from '#app/session.ts';
import { findTabAddress, HOME } from '#app/shell/tabs.ts';
import { LABEL_LENGTH } from '#domain/labelRule.ts';

/** Finds any screen by its name, and any SN, bill or parcel by the beginning of its number. Rule: lists#find. */
export default function Palette({ sought = '', onClose }: { sought?: string; onClose: () => void }) {
  const translate = useTranslate();
  const navigate = useNavigate();
  const listId = useId();
  const userId = useUser()?.userId ?? '';
  const [text, setText] = useState(sought);
  const [chosen, setChosen] = useState(0);
  /** A scanner's Enter may come before the server has answered: it is kept until there is something to go to. */
  const [goesToFirst, setGoesToFirst] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const { goals, isAsking, heading, askAgain } = useGoals(text, userId);

  const go = (goal: Goal) => {
    rememberGoal(userId, goal);
    onClose();
    void navigate(goal.kind === 'screen' ? findTabAddress(goal.address) : goal.address);
  };
  const latestGo = useRef(go);
  useEffect(() => {
    latestGo.current = go;
  });
  const first = goals[0];
  useEffect(() => {
    if (goesToFirst === '' || goesToFirst !== text || isAsking) return;
    setGoesToFirst('');
    if (first) latestGo.current(first);
  }, [goesToFirst, text, isAsking, first]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && goals.length > 0) {
      event.preventDefault();
      setChosen((before) => (Math.min(before, goals.length - 1) + step + goals.length) % goals.length);
    }
    if (!isEnter(event)) return;
    event.preventDefault();
    const goal = goals[Math.min(chosen, goals.length - 1)];
    const mayBeBetter = isAsking && chosen === 0 && !(goal && isWhole(goal, text));
    if (mayBeBetter) setGoesToFirst(text);
    else if (goal) go(goal);
  };
  const optionId = (i: number) => `${listId}-${i}`;
  const shown = Math.min(chosen, goals.length - 1);

  return (
    <Dialog
      open
      onClose={onClose}
      fullWidth
      maxWidth={false}
      aria-label={translate('shell.palette.label')}
      slotProps={{ paper: { sx: paperSx }, container: { sx: { alignItems: 'flex-start' } } }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, px: 4, height: 48, flex: 'none' }}>
        <Search fontSize="small" sx={{ color: 'text.secondary' }} aria-hidden />
        <InputBase
          inputRef={input}
          autoFocus
          fullWidth
          value={text}
          placeholder={translate('shell.palette.placeholder')}
          onChange={(event) => {
            setText(event.target.value);
            setChosen(0);
            // The Enter was for what stood here then, also where that is restored: of a scan that came in pieces.
            setGoesToFirst('');
          }}
          onKeyDown={onKeyDown}
          inputProps={{
            // A scan is meant for it, not for the station below, also while something else has the focus.
            'data-scan': 'number',
            'data-palette': '',
            role: 'combobox',
            'aria-expanded': goals.length > 0,
            'aria-controls': listId,
            'aria-activedescendant': goals.length > 0 ? optionId(shown) : undefined,
            'aria-autocomplete': 'list',
            'aria-label': translate('shell.palette.placeholder'),
            maxLength: LABEL_LENGTH,
            spellCheck: false,
          }}
          sx={{ fontSize: 15 }}
        />
      </Box>
      <Box sx={{ borderTop: 1, borderColor: 'divider', overflow: 'auto', minHeight: 120, p: 2 }}>
        <Box sx={{ px: 2, py: 1, fontSize: 12, color: 'text.secondary' }} role="status">
          {translate(heading)}{' '}
          {askAgain && (
            <Button size="small" onClick={askAgain}>
              {translate('shell.list.again')}
            </Button>
          )}
        </Box>
        <Box component="ul" role="listbox" id={listId} aria-label={translate('shell.palette.results')} sx={listSx}>
          {goals.map((it, i) => (
            <GoalRow key={it.address} id={optionId(i)} goal={it} isChosen={i === shown} onChoose={() => go(it)} />
          ))}
        </Box>
      </Box>
    </Dialog>
  );
}

const isWhole = (goal: Goal, text: string): boolean => goal.text.toLowerCase() === normaliseSearch(text).toLowerCase();

/** What the text finds; without a text, where this user went last. */
function useGoals(text: string, userId: string) {
  const translate = useTranslate();
  const menu = useMenu();
  const { data: pages } = useQuery({ queryKey: ['pageNames'], queryFn: () => pageNames.get()(), staleTime: Infinity });
  const recent = useMemo(() => recentGoals(userId), [userId]);
  const screens = useMemo(() => {
    const home: Goal = { kind: 'screen', address: HOME, text: translate('shell.home.title'), label: '' };
    return [home, ...listScreens(menu ?? [], leavesOf(menu ?? []), pages ?? [])];
  }, [menu, pages, translate]);
  const seesSns = useSeesSns();
  const sought = useDeferredValue(normaliseSearch(text));
  const asks = sought.length >= NUMBER_MIN;
  const numbers = useQuery({
    queryKey: ['find', sought, seesSns],
    queryFn: ({ signal }) => fetchNumbers(sought, seesSns, signal),
    enabled: asks,
    staleTime: 10_000,
    meta: told,
  });
  const isAsking = sought !== normaliseSearch(text) || (asks && numbers.isFetching && numbers.data === undefined);
  if (normaliseSearch(text) === '')
    return { goals: recent, isAsking, heading: `shell.palette.${recent.length ? 'recent' : 'hint'}` };
  const found = numbers.data ?? [];
  const whole = found.filter((it) => isWhole(it, sought));
  const goals = [...whole, ...searchScreens(sought, screens), ...found.filter((it) => !whole.includes(it))];
  // Screens that are found by name are not all that there is, where the numbers were not found out.
  if (asks && numbers.isError && numbers.data === undefined)
    return { goals, isAsking, heading: 'shell.palette.failed', askAgain: () => void numbers.refetch() };
  const nothing = isAsking ? 'searching' : 'nothing';
  return { goals, isAsking, heading: `shell.palette.${goals.length > 0 ? 'results' : nothing}` };
}

const paperSx = { maxWidth: 640, mt: '12vh', maxHeight: '64vh', mx: 3, width: 'calc(100% - 24px)' };
const listSx = { listStyle: 'none', m: 0, p: 0 };
