import { type ReactNode, useCallback, useRef } from 'react';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useTranslate } from 'ra-core';
import { flushSync } from 'react-dom';
import { normaliseCode } from '#domain/issueCode.ts';
import { BottomBar, type Primary, type Tally } from '#app/parts/scan/BottomBar.tsx';
import { ColleagueScans } from '#app/parts/scan/ColleagueScans.tsx';
import type { CardContents } from '#app/parts/scan/CommandCard.tsx';
import { type ChoiceList, type Command, commandOf } from '#app/parts/scan/commands.ts';
import { ScanField } from '#app/parts/scan/ScanField.tsx';
import { ScanRows } from '#app/parts/scan/ScanRows.tsx';
import { StationErrorContext } from '#app/parts/scan/stationLine.ts';
import { StationTitle } from '#app/parts/scan/StationTitle.tsx';
import { StationWarning } from '#app/parts/scan/StationWarning.tsx';
import { useOrderedInput } from '#app/parts/scan/useOrderedInput.ts';
import { useRefusalWords } from '#app/parts/scan/useRefusal.ts';
import { useScanFocus } from '#app/parts/scan/useScanFocus.ts';
import { useScanFromAddress } from '#app/parts/scan/useScanFromAddress.ts';
import type { StationView } from '#app/parts/scan/useStation.ts';
import { useTabCommand } from '#app/parts/scan/useTabCommand.ts';
import { useStationKeys } from '#app/parts/scan/useStationKeys.ts';
import { useWedge } from '#app/parts/scan/useWedge.ts';
import type { TabsProps } from '#app/parts/StationTabs.tsx';
import { WorkFrame } from '#app/parts/WorkFrame.tsx';
import { VerdictLine } from '#app/parts/scan/VerdictLine.tsx';
import type { Scan } from '#app/parts/scan/scanQueue.ts';

/** What the command card of a station offers besides submit and undo. */
export interface StationCommands extends CardContents {
  onQuantity?: (count: number) => void;
  /** Gives the name of what was chosen; nothing where it can't be. */
  onChoose?: (list: ChoiceList, value: string) => string | undefined;
}

interface Props<Data, Input> {
  menuNo: string;
  title: string;
  station: StationView<Data, Input>;
  primary: Primary;
  /** What is worked on, where the card has no commands for it. */
  tabs?: TabsProps;
  /** Above the scan field: what is set before scanning, such as the bill or the result. */
  before?: ReactNode;
  /** Between the verdict and the list: what one unit needs. */
  work?: ReactNode;
  /** The right third: the bill, what is expected and what is there. */
  facts?: ReactNode;
  describe?: (scan: Scan<Data>) => ReactNode;
  /** What was entered for a unit besides, which may change while it waits. */
  remarkOf?: (scan: Scan<Data>) => string;
  /** What `facts` says large, for screens that have no room beside the work. */
  tally?: readonly Tally[];
  more?: ReactNode;
  hint?: string;
  idle?: string;
  commands?: StationCommands;
  /** What scans need is still being loaded: they are held, and handled when it is there. */
  isHeld?: boolean;
  /** Nothing can be scanned yet, because a bill or a result is missing: an SN of the address waits for it. */
  isClosed?: boolean;
}

/** The frame of every station: scan, verdict, list on the left; the facts on the right; one thing to press below. */
export function ScanStation<Data, Input>(props: Props<Data, Input>) {
  const { menuNo, title, station, primary, before, work, facts, describe, remarkOf, tally, more, hint, idle } = props;
  const { isHeld = false, isClosed = false, commands = noCommands, tabs = commands.tabs } = props;
  const translate = useTranslate();
  const field = useRef<HTMLInputElement>(null);
  const { actions, verdict, sending } = station;
  const turn = useTabCommand(commands.tabs);
  const refusalOf = useRefusalWords();
  // What is unsent goes again first; only then the next list.
  const press = () => {
    if (sending) actions.retry();
    else if (!primary.disabled) primary.press();
  };
  const show = (kind: 'ok' | 'wrong', text: string) => actions.showVerdict({ kind, sn: '', text });
  const rejectCommand = () => show('wrong', translate('stations.command.useless'));
  const runCommand = (command: Command, isLate: boolean, again: (entry: Entry) => void) => {
    // The scans before it may still be asked about, the unit that it is meant for among them.
    const later = () => actions.afterChecks(() => again({ command, isLate: true }));
    if (command.do === 'submit') {
      if (isLate) press();
      else later();
    } else if (command.do === 'undo') actions.undo();
    else if (command.do === 'code') {
      if (actions.enterText(command.code)) return;
      if (isLate) rejectCommand();
      else later();
    } else if (command.do === 'choose') {
      const name = commands.onChoose?.(command.list, command.value);
      if (name !== undefined) show('ok', name);
      else if (isLate) rejectCommand();
      else later();
    } else if (command.do === 'next' || command.do === 'tab') {
      // Before the next key comes: whatever follows is typed into the page that the tab turns to.
      queueMicrotask(() =>
        flushSync(() => {
          const name = turn(command);
          if (name === undefined) rejectCommand();
          else show('ok', name);
        }),
      );
    } else if (commands.quantities?.includes(command.count)) {
      commands.onQuantity?.(command.count);
      show('ok', translate('stations.command.quantity', { count: command.count }));
    } else rejectCommand();
  };
  const handle = (entry: Entry, again: (entry: Entry) => void) => {
    if ('sn' in entry) return actions.scan(entry.sn);
    if (entry.command === 'unknown') show('wrong', translate('stations.command.unknown'));
    else runCommand(entry.command, entry.isLate, again);
    return true;
  };
  const enter = useOrderedInput(handle, isInstant, isHeld);
  const scan = (text: string) => {
    const command = commandOf(text) ?? toCodeCommand(text, commands.codes);
    enter(command === undefined ? { sn: text } : { command, isLate: false });
  };
  const awaited = useScanFromAddress(scan, station.list === 'here' && !isHeld && !isClosed);
  const nothing =
    awaited === '' ? (idle ?? translate('stations.idle')) : translate('stations.awaited', { sn: awaited });
  // Else the facts are below the work, where nobody sees a warning.
  const isBeside = useMediaQuery(useTheme().breakpoints.up('md'));
  useWedge(field, scan, (why, text) => actions.showVerdict({ kind: 'refused', sn: '', text: refusalOf(why, text) }));
  useScanFocus(field, verdict);
  useStationKeys({
    submit: press,
    undo: actions.undo,
    closeVerdict: actions.closeVerdict,
  });

  const showError = useCallback((text: string) => actions.showVerdict({ kind: 'wrong', sn: '', text }), [actions]);

  return (
    <StationErrorContext value={showError}>
      <WorkFrame
        title={<StationTitle menuNo={menuNo} title={title} tabs={tabs} userId={station.scope.userId} card={commands} />}
        aside={
          <>
            {facts}
            <ColleagueScans colleagues={station.colleagues} />
            {isBeside && <StationWarning scans={station.scans} />}
          </>
        }
        footer={<BottomBar station={station} primary={{ ...primary, press }} tally={tally} more={more} />}
      >
        <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3, minWidth: 0 }}>
          {!station.isPersisted && <Alert severity="error">{translate('stations.notKept')}</Alert>}
          {before}
          <ScanField field={field} onScan={scan} hint={hint} />
          <VerdictLine verdict={verdict} onClose={actions.closeVerdict} idle={nothing} />
          {!isBeside && <StationWarning scans={station.scans} />}
          {work}
          <ScanRows
            scans={station.scans}
            describe={describe}
            remarkOf={remarkOf}
            locked={sending?.scanKeys ?? []}
            onRemove={actions.remove}
            list={station.list}
          />
        </Box>
      </WorkFrame>
    </StationErrorContext>
  );
}

/** What was scanned: an SN, or a command; late when it has waited for the checks of the scans before it. */
type Entry = { sn: string } | { command: Command | 'unknown'; isLate: boolean };

/** A code of the card, without the mark of a command: typed, or scanned from a label. */
function toCodeCommand(text: string, codes: CardContents['codes'] = []): Command | undefined {
  const code = normaliseCode(text);
  return codes.some((it) => it.code === code) ? { do: 'code', code } : undefined;
}

const isInstant = (entry: Entry): boolean => 'sn' in entry || entry.command === 'unknown';

const noCommands: StationCommands = {};
