import { useMemo, useState } from 'react';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import { useTranslate } from 'ra-core';
import { Flag } from '#domain/enums.ts';
import { normaliseCode } from '#domain/issueCode.ts';
import { Choice } from '#app/parts/Choice.tsx';
import { BigCount, Panel } from '#app/parts/Facts.tsx';
import { PictureUpload } from '#app/parts/PictureUpload.tsx';
import { Pictures } from '#app/parts/Pictures.tsx';
import { isLiving, type Scan } from '#app/parts/scan/scanQueue.ts';
import { ScanStation } from '#app/parts/scan/ScanStation.tsx';
import type { StationContract } from '#app/parts/scan/stationContract.ts';
import { usePersistedState } from '#app/parts/scan/usePersistedState.ts';
import { useStationScope } from '#app/parts/scan/useStationScope.ts';
import { useStation } from '#app/parts/scan/useStation.ts';
import { besideLabelSx } from '#app/theme.ts';

interface ResultCode {
  codeId: number;
  code: string;
  name: string;
  passFlag: string | null;
}

interface TestedUnit {
  sn: string;
  salesCode: string;
  name: string;
  mtbId: string | null;
  icdId: number;
  code: string;
  codeName: string;
  passFlag: string;
}

interface TestLine {
  sn: string;
  salesCode: string;
  icdId: number;
  urls: readonly string[];
}

/** What was set on the screen when a unit was scanned. */
interface TestSetting {
  icdId: number | null;
  urls: readonly string[];
}

type Contract = StationContract<TestedUnit, readonly TestLine[], { passCount: number; failCount: number }, TestSetting>;

interface Props {
  menuNo: string;
  /** Which station, and the prefix of its texts. */
  name: 'aging' | 'qc';
  codes: readonly ResultCode[] | undefined;
  /** The codes are on their way: what is scanned waits for them. */
  isLoading: boolean;
  /** Whether a unit may be listed with what was set when it was scanned. */
  check: Contract['check'];
  submit: Contract['submit'];
  /** Pictures for one unit; none when 0. */
  pictures: number;
}

const noSetting: TestSetting = { icdId: null, urls: [] };
/** Pictures that lie ready, as one text: they are one unit's. */
const picturesOf = (setting: TestSetting): string => setting.urls.join();
const settingOf = (scan: Scan): TestSetting => scan.chosen as TestSetting;

/** A test whose result is an issue code: the result is set, units are scanned into a list, the list is submitted. */
export function TestStation({ menuNo, name, codes, isLoading, check, submit, pictures }: Props) {
  const translate = useTranslate();
  const scope = useStationScope(`${name}-setting`, '');
  const persisted = usePersistedState<TestSetting>(scope, 'setting', noSetting);
  const pass = codes?.find((it) => it.passFlag === Flag.Yes);
  const icdId = persisted.value.icdId ?? pass?.codeId ?? null;
  const code = codes?.find((it) => it.codeId === icdId);
  const [openPictures, setOpenPictures] = useState('');

  const station = useStation({
    name,
    check,
    submit,
    chosen: (scans): TestSetting => {
      // One unit has the pictures that lie ready; where that one counts no more, they are the next one's again.
      const isTaken = scans.some((it) => isLiving(it) && picturesOf(settingOf(it)) === picturesOf(persisted.value));
      return { icdId, urls: isTaken ? [] : persisted.value.urls };
    },
    blockedBy: () => {
      // They are meant for the unit that is scanned next.
      if (openPictures) return openPictures;
      return code ? undefined : translate('stations.test.noResult');
    },
    onCode: (text) => {
      const found = codes?.find((it) => it.code === normaliseCode(text));
      if (!found) return false;
      persisted.set((now) => ({ ...now, icdId: found.codeId }));
      station.actions.showVerdict({ kind: 'ok', sn: found.code, text: found.name });
      return true;
    },
    onAccepted: (scan) => {
      const given = picturesOf(settingOf(scan));
      if (given !== '') persisted.set((now) => (picturesOf(now) === given ? { ...now, urls: [] } : now));
    },
    successText: ({ passCount, failCount }) => translate('stations.test.told', { pass: passCount, fail: failCount }),
  });
  const { accepted } = station;
  const passed = useMemo(() => accepted.filter((it) => it.data?.passFlag === Flag.Yes).length, [accepted]);

  const press = () => {
    if (accepted.length === 0) {
      return station.actions.showVerdict({ kind: 'wrong', sn: '', text: translate('stations.emptyMsg') });
    }
    const lines = accepted.flatMap((scan) => {
      const { sn, data } = scan;
      return data ? [{ sn, salesCode: data.salesCode, icdId: data.icdId, urls: settingOf(scan).urls }] : [];
    });
    station.actions.submit(
      lines,
      accepted.map((it) => it.key),
    );
  };

  return (
    <ScanStation
      menuNo={menuNo}
      title={translate(`stations.${name}.title`)}
      station={station}
      isHeld={isLoading || !persisted.loaded}
      isClosed={code === undefined}
      hint={translate('stations.test.hint')}
      commands={{ codes }}
      primary={{ label: translate(`stations.${name}.do`, { smart_count: accepted.length }), press }}
      before={
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3, alignItems: 'flex-start' }}>
          <Choice
            thenScan
            label={translate('stations.test.result')}
            required
            minWidth={280}
            value={icdId === null ? '' : String(icdId)}
            options={(codes ?? []).map((it) => ({ value: String(it.codeId), label: `${it.code}  ${it.name}` }))}
            onChange={(it) => persisted.set((now) => ({ ...now, icdId: Number(it) }))}
          />
          {code && (
            <Box sx={{ ...besideLabelSx, display: 'flex', alignItems: 'center', height: 38 }}>
              <ResultChip passFlag={code.passFlag} />
            </Box>
          )}
          {pictures > 0 && (
            <Box sx={besideLabelSx}>
              <PictureUpload
                label={translate('stations.picture.add')}
                urls={persisted.value.urls}
                max={pictures}
                onArrive={(url) => persisted.set((now) => ({ ...now, urls: [...now.urls, url] }))}
                onRemove={(url) => persisted.set((now) => ({ ...now, urls: now.urls.filter((it) => it !== url) }))}
                onOpen={setOpenPictures}
              />
            </Box>
          )}
        </Box>
      }
      describe={(scan) =>
        scan.data && (
          <>
            {scan.data.name} · {scan.data.code} <ResultChip passFlag={scan.data.passFlag} />
            <Pictures urls={settingOf(scan).urls} />
          </>
        )
      }
      tally={[
        { label: translate('stations.test.pass'), value: String(passed), tone: 'success' },
        { label: translate('stations.test.fail'), value: String(accepted.length - passed), tone: 'error' },
      ]}
      facts={
        <>
          <Panel title={translate('stations.test.list')}>
            <BigCount done={accepted.length} expected={null} label={translate('stations.scanned')} />
          </Panel>
          <Panel title={translate('stations.test.results')}>
            <Box sx={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 3 }}>
              <BigCount done={passed} expected={null} label={translate('stations.test.pass')} />
              <BigCount done={accepted.length - passed} expected={null} label={translate('stations.test.fail')} />
            </Box>
          </Panel>
        </>
      }
    />
  );
}

function ResultChip({ passFlag }: { passFlag: string | null }) {
  const translate = useTranslate();
  const isPass = passFlag === Flag.Yes;
  return (
    <Chip
      size="small"
      color={isPass ? 'success' : 'error'}
      variant="outlined"
      label={translate(isPass ? 'stations.test.pass' : 'stations.test.fail')}
    />
  );
}
