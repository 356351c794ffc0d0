import { useCallback, useEffect, useLayoutEffect, useReducer, useRef } from 'react';
import { useTranslate } from 'ra-core';
import { flushSync } from 'react-dom';
import { normaliseCode } from '#domain/issueCode.ts';
import type { CardContents } from '#app/parts/scan/CommandCard.tsx';
import { type ChoiceList, type Command, commandOf } from '#app/parts/scan/commands.ts';
import { findVisible } from '#app/parts/visibleElements.ts';
import type { StationView } from '#app/parts/scan/useStation.ts';
import { scanInto } from '#app/parts/scan/scanner.ts';
import { useTabCommand } from '#app/parts/scan/useTabCommand.ts';

/** What the command card of a station offers besides submit and undo. */
export interface StationCommands extends CardContents {
  onQuantity?: (count: number) => void;
  /** Gives the name of what was chosen; nothing where it can't be. */
  onChoose?: (list: ChoiceList, value: string) => string | undefined;
}

interface ScanInput {
  actions: Pick<StationView<unknown>['actions'], 'scan' | 'enterCode' | 'undo' | 'afterChecks' | 'showVerdict'>;
  commands: StationCommands;
  /** Submits. */
  press: () => void;
  /** What scans need is still being loaded: they wait. */
  isHeld: boolean;
}

/** What was scanned: an SN, or a command; late when it has waited for the checks of the scans before it. */
type Entry = { sn: string } | { command: Command | 'unknown'; isLate: boolean };

/**
 * Takes what is scanned at a station, in its order. An SN goes on at once where nothing waits before it; a command in
 * an effect of its own, so that it finds the page as those before it have left it. What can't be done yet comes again,
 * behind what waits. What it gives stays the same, so that nothing is drawn anew for it.
 */
export function useScanInput(input: ScanInput): (text: string) => void {
  const run = useCommands(input);
  const waiting = useRef<Entry[]>([]);
  /** What is chosen on the page changes: the next one waits until it is drawn. */
  const isChanging = useRef(false);
  const [, wake] = useReducer((it: number) => it + 1, 0);
  const wait = (entry: Entry) => {
    waiting.current.push(entry);
    wake();
  };
  const handle = (entry: Entry) => {
    isChanging.current = 'sn' in entry ? input.actions.scan(entry.sn) : run(entry.command, entry.isLate, wait);
  };
  // It wakes itself only while an entry waits.
  // oxlint-disable-next-line react/exhaustive-deps
  useEffect(() => {
    isChanging.current = false;
    if (input.isHeld) return;
    const entry = waiting.current.shift();
    if (entry === undefined) return;
    // The codes may have come meanwhile.
    const known = 'sn' in entry ? readEntry(entry.sn, input.commands.codes) : entry;
    const first = findVisible<HTMLInputElement>('input[data-first]');
    // Nothing was left here, as is known by now: a number is asked for before any SN.
    if ('sn' in known && first) scanInto(first, known.sn);
    else handle(known);
    // What is written into a field meanwhile is read before the next one comes.
    if (isChanging.current || waiting.current.length > 0) queueMicrotask(wake);
  });
  const latest = useRef({ handle, wait, isHeld: input.isHeld, codes: input.commands.codes });
  useLayoutEffect(() => {
    latest.current = { handle, wait, isHeld: input.isHeld, codes: input.commands.codes };
  });
  return useCallback((text) => {
    const { handle, wait, isHeld, codes } = latest.current;
    const entry = readEntry(text, codes);
    const isInstant = 'sn' in entry || entry.command === 'unknown';
    if (isHeld || isChanging.current || waiting.current.length > 0 || !isInstant) return wait(entry);
    handle(entry);
    if (isChanging.current) wake();
  }, []);
}

/** A code of the card is a command without its mark as well: typed, or scanned from a label. */
function readEntry(text: string, codes: CardContents['codes'] = []): Entry {
  const code = normaliseCode(text);
  const isCode = codes.some((it) => it.code === code);
  const command = commandOf(text) ?? (isCode ? { do: 'code', code } : undefined);
  return command === undefined ? { sn: text } : { command, isLate: false };
}

/** Does what a command says; gives that the page may change by it. */
function useCommands({ actions, commands, press }: ScanInput) {
  const translate = useTranslate();
  const turn = useTabCommand(commands.tabs);
  const show = (kind: 'ok' | 'wrong', text: string) => actions.showVerdict({ kind, sn: '', text });
  const reject = () => show('wrong', translate('stations.command.useless'));
  const runNow = (command: Exclude<Command, { do: 'submit' | 'code' | 'choose' }>) => {
    if (command.do === 'undo') actions.undo();
    else if (command.do === 'next' || command.do === 'tab') {
      // Before the next key comes: whatever follows is typed into the page that the tab turns to.
      queueMicrotask(() =>
        flushSync(() => {
          const turned = turn(command);
          if (!turned) reject();
          else if ('blocked' in turned) show('wrong', turned.blocked);
          else show('ok', turned.name);
        }),
      );
    } else if (commands.quantities?.includes(command.count)) {
      commands.onQuantity?.(command.count);
      show('ok', translate('stations.command.quantity', { count: command.count }));
    } else reject();
  };
  return (command: Command | 'unknown', isLate: boolean, again: (entry: Entry) => void): true => {
    // The scans before it may still be asked about, the unit that it is meant for among them.
    const later = () => actions.afterChecks(() => again({ command, isLate: true }));
    if (command === 'unknown') show('wrong', translate('stations.command.unknown'));
    else if (command.do === 'submit') {
      if (isLate) press();
      else later();
    } else if (command.do === 'code') {
      if (actions.enterCode(command.code)) return true;
      if (isLate) reject();
      else later();
    } else if (command.do === 'choose') {
      const name = commands.onChoose?.(command.list, command.value);
      if (name !== undefined) show('ok', name);
      else if (isLate) reject();
      else later();
    } else runNow(command);
    return true;
  };
}
