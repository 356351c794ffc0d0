import { type ReactNode, useCallback, useRef } from 'react';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useTranslate } from 'ra-core';
import { useObservable } from '#app/observable.ts';
import { BottomBar, type Primary, type Tally } from '#app/parts/scan/BottomBar.tsx';
import { ColleagueScans } from '#app/parts/scan/ColleagueScans.tsx';
import { QueuePanel } from '#app/parts/scan/QueuePanel.tsx';
import { RejectedRows } from '#app/parts/scan/RejectedRows.tsx';
import { ScanField } from '#app/parts/scan/ScanField.tsx';
import { ScanRows } from '#app/parts/scan/ScanRows.tsx';
import { StationErrorContext } from '#app/parts/scan/stationLine.ts';
import { StationTitle } from '#app/parts/scan/StationTitle.tsx';
import { StorageQuestion } from '#app/parts/scan/StorageQuestion.tsx';
import { StationWarning } from '#app/parts/scan/StationWarning.tsx';
import { useRefusalWords } from '#app/parts/scan/useRefusal.ts';
import { useScanFocus } from '#app/parts/scan/useScanFocus.ts';
import { theDatabase } from '#app/parts/scan/scanDatabase.ts';
import { type StationCommands, useScanInput } from '#app/parts/scan/useScanInput.ts';
import { useScanFromAddress } from '#app/parts/scan/useScanFromAddress.ts';
import type { StationView } from '#app/parts/scan/useStation.ts';
import { useStationKeys } from '#app/parts/scan/useStationKeys.ts';
import { useWedge } from '#app/parts/scan/useWedge.ts';
import type { TabsProps } from '#app/parts/StationTabs.tsx';
import { WorkFrame } from '#app/parts/WorkFrame.tsx';
import { VerdictLine } from '#app/parts/scan/VerdictLine.tsx';
import { isWaiting, type Scan } from '#app/parts/scan/scanQueue.ts';
import { useStationKiosk } from '#app/shell/useStationKiosk.ts';

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
  const refusalOf = useRefusalWords();
  // What is unsent goes again first; only then the next list.
  const press = () => {
    if (sending) actions.retry();
    else if (!primary.disabled) primary.press();
  };
  const scan = useScanInput({ actions, commands, press, isHeld });
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

  const hasLateNotes = useObservable(theDatabase.hasLateNotes);
  const { isKiosk, toggle } = useStationKiosk();
  const showError = useCallback(
    (text: string) => (text === '' ? actions.entered() : actions.showVerdict({ kind: 'wrong', sn: '', text })),
    [actions],
  );

  const refuseTurn = (text = '') => actions.showVerdict({ kind: 'wrong', sn: '', text });

  const verdictLine = <VerdictLine verdict={verdict} onClose={actions.closeVerdict} idle={nothing} isLarge={isKiosk} />;
  return (
    <StationErrorContext value={showError}>
      <WorkFrame
        title={
          <StationTitle
            menuNo={menuNo}
            title={title}
            tabs={tabs && (tabs.blocked ? { ...tabs, onChange: () => refuseTurn(tabs.blocked) } : tabs)}
            userId={station.scope.userId}
            card={commands}
            kiosk={{ isOn: isKiosk, toggle }}
          />
        }
        lead={isKiosk && verdictLine}
        aside={
          <>
            {isKiosk && <QueuePanel scans={station.scans} />}
            {facts}
            <ColleagueScans colleagues={station.colleagues} />
            {isBeside && <StationWarning scans={station.scans} />}
          </>
        }
        footer={<BottomBar station={station} primary={{ ...primary, press }} tally={tally} more={more} />}
      >
        <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3, minWidth: 0 }}>
          {station.isPersisted && !hasLateNotes ? (
            <StorageQuestion />
          ) : (
            <Alert severity="error">{translate('stations.notKept')}</Alert>
          )}
          <Box sx={{ display: 'contents' }} onInput={actions.entered}>
            {before}
          </Box>
          <ScanField field={field} onScan={scan} hint={hint} />
          {!isKiosk && verdictLine}
          {!isBeside && <StationWarning scans={station.scans} />}
          <Box sx={{ display: 'contents' }} onInput={actions.entered}>
            {work}
          </Box>
          <RejectedRows station={station} press={press} />
          <ScanRows
            scans={isKiosk ? station.scans.filter((it) => !isWaiting(it)) : station.scans}
            describe={describe}
            remarkOf={remarkOf}
            locked={sending?.scanKeys ?? []}
            rejected={station.rejected}
            onRemove={actions.remove}
            list={station.list}
            isLarge={isKiosk}
          />
        </Box>
      </WorkFrame>
    </StationErrorContext>
  );
}

const noCommands: StationCommands = {};
