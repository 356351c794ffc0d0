import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useTranslate } from 'ra-core';
import { useNavigate } from 'react-router-dom';
import { AssemblySlots, useInputLabel } from '#app/parts/AssemblySlots.tsx';
import { Confirm } from '#app/parts/Confirm.tsx';
import { FactGrid, Panel } from '#app/parts/Facts.tsx';
import { FormFrame } from '#app/parts/FormFrame.tsx';
import { IssueCodeEntry } from '#app/parts/IssueCodeEntry.tsx';
import type { PageProps } from '#app/parts/page.ts';
import { Unsent } from '#app/parts/scan/BottomBar.tsx';
import { atEnter } from '#app/parts/enter.ts';
import { classifyError } from '#app/parts/scan/answers.ts';
import { isLiving, isWaiting } from '#app/parts/scan/scanQueue.ts';
import type { ScanRefusal } from '#app/parts/scan/scanner.ts';
import { StationErrorContext } from '#app/parts/scan/stationLine.ts';
import { useOnline } from '#app/parts/scan/useOnline.ts';
import { type StationView, useStation } from '#app/parts/scan/useStation.ts';
import { useRefusalWords } from '#app/parts/scan/useRefusal.ts';
import { useWedge } from '#app/parts/scan/useWedge.ts';
import { VerdictLine } from '#app/parts/scan/VerdictLine.tsx';
import { findVisible } from '#app/parts/visibleElements.ts';
import { useBaseData } from '#app/parts/useLookup.ts';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { useReasonOf } from '#app/notify.ts';
import { send } from '#app/send.ts';
import { BOARD_COUNT } from '#domain/assembly.ts';
import type { DataOf, InputOf } from '#domain/call.ts';
import { IssueCategory } from '#domain/issueCode.ts';
import { loadIssueCodeList } from '#domain/lookups.ts';
import { finishOnSiteRepair, onSiteRepair, onSiteValidateSn, queryDevice } from './contract.ts';
import { visitSlots } from './rules.ts';
import { ScannedSn } from './ScannedSn.tsx';
import { useVisit } from './useVisit.ts';
import { VisitRecords } from './VisitRecords.tsx';

type Device = Pick<DataOf<typeof onSiteValidateSn>, 'item' | 'components'>;
type Asked = 'cancel' | 'end' | null;

/** The field of the device tells its own scans. */
const noField = { current: null };

/** A device is repaired where it stands, at its customer. Rule: on-site-repair#submit. */
export default function OnSiteRepairPage({ menuNo }: PageProps) {
  const translate = useTranslate();
  const navigate = useNavigate();
  const reasonOf = useReasonOf();
  const { wordsOf, byField } = useProblemWords();
  const slotName = useInputLabel();
  const visit = useVisit();
  const { mtbId, draft, change, entry } = visit;
  const checkCodes = useBaseData(loadIssueCodeList, { billType: IssueCategory.Check }).data?.issueCodeList ?? [];
  const [asked, setAsked] = useState<Asked>(null);
  /** The dialog goes on to name the order that it asked about, whatever becomes of the field. */
  const [endingNo, setEndingNo] = useState('');
  const [openPictures, setOpenPictures] = useState('');

  const station: StationView<Device, InputOf<typeof onSiteRepair>> = useStation<
    Device,
    InputOf<typeof onSiteRepair>,
    DataOf<typeof onSiteRepair>,
    string
  >({
    name: 'onSiteRepair',
    limit: 1,
    blockedBy: () => (mtbId === '' ? translate('bills.onSite.billFirst') : undefined),
    chosen: () => mtbId,
    check: async (sn, bill) => {
      const { components } = await send(onSiteValidateSn, { mtbId: bill, sn });
      const { item } = await send(queryDevice, { mtbId: bill, sn });
      return { item, components };
    },
    submit: (input, key) => send(onSiteRepair, input, { key }),
    onSubmitted: () => {
      visit.forget();
      backToTop();
    },
    successText: ({ productSn, deviceCount }) =>
      translate('bills.onSite.told', { sn: productSn, smart_count: deviceCount }),
  });
  const { actions, sending } = station;
  const scan = station.scans.find(isLiving);
  const sn = scan?.sn ?? '';
  const { showVerdict, entered } = actions;
  const wrong = useCallback((text: string) => showVerdict({ kind: 'wrong', sn: '', text }), [showVerdict]);
  const showError = useCallback((text: string) => (text === '' ? entered() : wrong(text)), [entered, wrong]);
  const refusalOf = useRefusalWords();
  const refuse = (why: ScanRefusal, text: string) =>
    showVerdict({ kind: 'refused', sn: '', text: refusalOf(why, text) });
  // A device is scanned where its button has made that ready; what is scanned elsewhere is said not to be taken.
  useWedge(noField, (text) => refuse('unwanted', text), refuse);
  const end = useSubmit(finishOnSiteRepair, (error) => {
    visit.setBill('');
    showVerdict({ kind: classifyError(error), sn: mtbId, text: reasonOf(error) });
  });

  const scanButton = useRef<HTMLButtonElement>(null);
  const dropDevice = () => actions.remove(station.scans.filter(isLiving).map((it) => it.key));
  const takeSn = (scanned: string) => {
    visit.forgetProblems();
    dropDevice();
    if (scanned !== '') actions.scan(scanned);
  };
  const submit = () => {
    if (sending) return sending.unsent === '' ? undefined : actions.retry();
    if (openPictures) return wrong(openPictures);
    const closed = visit.close(sn, (slot) => slotName(`${slot}.sn`));
    if ('problem' in closed) return wrong(closed.problem ? wordsOf(closed.problem) : '');
    if (scan) actions.submit(closed.input, [scan.key]);
  };
  /** A picture that has not arrived belongs to the record that it was chosen for. */
  const onceArrived = (go: () => void) => (openPictures ? wrong(openPictures) : go());
  const latest = useRef(submit);
  useLayoutEffect(() => {
    latest.current = submit;
  });
  // A device that is being asked about has its verdict first, where there is somebody to ask.
  const press = () => actions.afterChecks(() => latest.current());

  const endOrder = async () => {
    const answer = await end.submit({ mtbId });
    setAsked(null);
    backToTop();
    if (!answer) return;
    dropDevice();
    visit.forget();
    visit.setBill('');
    const told = answer.notReceivedCount > 0 ? 'notReceived' : 'ended';
    const text = translate(`bills.onSite.${told}`, { no: answer.mtbId, smart_count: answer.notReceivedCount });
    showVerdict({ kind: 'ok', sn: '', text, isWarning: answer.notReceivedCount > 0 });
  };
  const askEnd = () => {
    if (mtbId === '') return wrong(translate('bills.onSite.billFirst'));
    if (sending) return wrong(translate('bills.onSite.endWait'));
    setEndingNo(mtbId);
    setAsked('end');
  };
  const leave = () => void navigate(`/${menuNo}`);
  const isUntouched = sn === '' && visit.isUntouched;
  const cancel = () => {
    // What is on its way goes on without this page.
    if (isUntouched || sending) return leave();
    setAsked('cancel');
  };

  const messages = byField(visit.problems);
  return (
    <StationErrorContext value={showError}>
      <FormFrame
        wide
        menuNo={menuNo}
        title={translate('bills.onSite.title')}
        problem=""
        primary={{ label: translate('bills.onSite.do'), press }}
        verdict={
          <VerdictLine
            verdict={station.verdict}
            onClose={actions.closeVerdict}
            idle={translate(mtbId === '' ? 'bills.onSite.billFirst' : 'bills.onSite.scanOnly')}
          />
        }
        more={
          <>
            <Box sx={{ flexBasis: sending ? '100%' : 'auto' }}>
              <Unsent station={station} />
            </Box>
            <Button onClick={cancel} sx={{ ml: 'auto' }}>
              {translate('ra.action.cancel')}
            </Button>
            <Button variant="outlined" onClick={askEnd}>
              {translate('bills.onSite.end')}
            </Button>
          </>
        }
      >
        <Box inert={sending !== null} sx={{ display: 'flex', flexDirection: 'column', gap: 3, minWidth: 0 }}>
          <Panel title={translate('bills.onSite.orderAndDevice')}>
            <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 4 }}>
              <TextField
                required
                autoFocus
                label={translate('bills.onSite.bill')}
                value={visit.bill}
                error={messages['mtbId'] !== undefined}
                helperText={messages['mtbId'] ?? ' '}
                onChange={(it) => visit.setBill(it.target.value)}
                sx={{ width: { xs: '100%', sm: 320 } }}
                slotProps={{
                  htmlInput: {
                    ...{ 'data-scan': 'number', autoComplete: 'off', maxLength: 64 },
                    onKeyDown: atEnter(() => scanButton.current?.click()),
                  },
                }}
              />
              <ScannedSn button={scanButton} value={sn} problem={messages['productSn']} onChange={takeSn} />
            </Box>
            <DeviceFacts device={scan?.data} isAsked={scan !== undefined && isWaiting(scan)} />
          </Panel>
          <Panel title={translate('bills.onSite.checkIssues')}>
            <IssueCodeEntry
              required
              label={translate('stations.field.issueCode')}
              choices={checkCodes}
              codes={draft.codes}
              error={messages['checkIssueCodeIdList']}
              onChange={(codes) => change({ codes })}
            />
          </Panel>
          <Box>
            <VisitRecords
              entry={{ ...entry, add: () => onceArrived(entry.add) }}
              onKind={(kind) => onceArrived(() => change({ kind }))}
              checkCodes={draft.codes}
              components={scan?.data?.components ?? []}
              onSubmit={press}
              onOpen={setOpenPictures}
            />
            {messages['repairInfoList'] && (
              <Box role="alert" sx={{ color: 'error.main', fontSize: 12, mt: 1 }}>
                {messages['repairInfoList']}
              </Box>
            )}
          </Box>
          <Panel title={translate('bills.onSite.parts')}>
            <AssemblySlots
              isOptional
              slots={visitSlots}
              boards={BOARD_COUNT}
              parts={draft.parts}
              problems={messages}
              deviceSn={sn}
              onChange={(parts) => change({ parts })}
            />
          </Panel>
        </Box>
      </FormFrame>
      <Confirm
        open={asked === 'end'}
        title={translate('bills.onSite.endAsk', { no: endingNo })}
        action={translate('bills.onSite.end')}
        busy={end.sending}
        onCancel={() => setAsked(null)}
        onConfirm={() => void endOrder()}
      >
        {translate('bills.onSite.endWhy')} {!isUntouched && translate('bills.onSite.endOpen')}
      </Confirm>
      <Confirm
        danger
        open={asked === 'cancel'}
        title={translate('bills.onSite.cancelAsk')}
        action={translate('bills.onSite.cancelDo')}
        onCancel={() => setAsked(null)}
        onConfirm={() => {
          dropDevice();
          visit.forget();
          leave();
        }}
      >
        {translate('bills.onSite.cancelWhy')}
      </Confirm>
    </StationErrorContext>
  );
}

interface DeviceFactsProps {
  device: Device | undefined;
  isAsked: boolean;
}

/** What the device at hand is. */
function DeviceFacts({ device, isAsked }: DeviceFactsProps) {
  const translate = useTranslate();
  const online = useOnline();
  if (isAsked)
    return (
      <Box sx={{ mt: 2, fontSize: 13, color: 'info.main' }}>
        {translate(online ? 'bills.onSite.checking' : 'bills.onSite.unasked')}
      </Box>
    );
  return (
    <Box role="group" aria-label={translate('bills.onSite.device')} sx={{ mt: 2 }}>
      <FactGrid
        facts={[
          { label: translate('bills.onSite.code'), value: device?.item.code, code: true },
          { label: translate('bills.onSite.name'), value: device?.item.name },
        ]}
      />
    </Box>
  );
}

/** What came of it stands above the form: who pressed at its end sees it, and is where the next device begins. */
function backToTop(): void {
  const top = findVisible<HTMLInputElement>('input[data-scan=only]');
  top?.focus({ preventScroll: true });
  findVisible('[data-verdict]')?.scrollIntoView({ block: 'center' });
}
