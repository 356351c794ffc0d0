import { useState } from 'react';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useTranslate } from 'ra-core';
import { useNavigate } from 'react-router-dom';
import { useNotices } from '#app/notify.ts';
import { Choice } from '#app/parts/Choice.tsx';
import { Confirm } from '#app/parts/Confirm.tsx';
import { BigCount, Panel } from '#app/parts/Facts.tsx';
import { NumberField } from '#app/parts/NumberField.tsx';
import type { PageProps } from '#app/parts/page.ts';
import { PerModel } from '#app/parts/PerModel.tsx';
import { RemarkField } from '#app/parts/RemarkField.tsx';
import { ScanStation } from '#app/parts/scan/ScanStation.tsx';
import { isLiving } from '#app/parts/scan/scanQueue.ts';
import { usePersistedState } from '#app/parts/scan/usePersistedState.ts';
import { useStation } from '#app/parts/scan/useStation.ts';
import { useStationScope } from '#app/parts/scan/useStationScope.ts';
import { useLookup } from '#app/parts/useLookup.ts';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { send } from '#app/send.ts';
import type { DataOf, InputOf } from '#domain/call.ts';
import { combineRepair, getSiteList, validateSnForCombineRepair } from './contract.ts';
import { DEPARTMENT_LENGTH, validateCombined } from './rules.ts';

interface Setting {
  siteId: string;
  count: string;
  department: string;
  remark: string;
}
const fresh: Setting = { siteId: '', count: '', department: '', remark: '' };

/** Scrap of a site is scanned into a list that goes out for repair. Rule: scrap-repair#combining. */
export default function CombineRepairPage({ menuNo }: PageProps) {
  const translate = useTranslate();
  const navigate = useNavigate();
  const notices = useNotices();
  const { byField, lineOf } = useProblemWords();
  const setting = usePersistedState<Setting>(useStationScope('combineRepair-setting', ''), 'setting', fresh);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  /** The site that is to take the place of the one that was scanned for. */
  const [nextSite, setNextSite] = useState<string | null>(null);
  const sites = useLookup(getSiteList, {});
  const siteOptions = (sites.data?.ubsSiteList ?? []).map((it) => ({ value: it.siteId, label: it.name }));
  // Who has one site has nothing to choose.
  const only = siteOptions.length === 1 ? (siteOptions[0]?.value ?? '') : '';
  const siteId = setting.value.siteId || only;
  const { count, department, remark } = setting.value;

  const station = useStation<
    DataOf<typeof validateSnForCombineRepair>,
    InputOf<typeof combineRepair>,
    DataOf<typeof combineRepair>,
    string
  >({
    name: 'combineRepair',
    blockedBy: () => (siteId === '' ? translate('bills.scrapRepair.siteFirst') : undefined),
    chosen: () => siteId,
    check: (sn, chosenSite) => send(validateSnForCombineRepair, { sn, siteId: chosenSite }),
    submit: (input, key) => send(combineRepair, input, { key }),
    onSubmitted: (answer) => {
      notices.success(told(answer));
      setting.set({ ...fresh, siteId: setting.value.siteId });
      setProblems({});
      void navigate(`/${menuNo}`);
    },
    successText: (answer) => told(answer),
  });
  const told = ({ srbId, count: sent }: DataOf<typeof combineRepair>) =>
    translate('bills.scrapRepair.told', { smart_count: sent, srbId });
  const { accepted, actions, list } = station;
  const living = station.scans.filter(isLiving);

  const change = (part: Partial<Setting>) => {
    setting.set((now) => ({ ...now, ...part }));
    setProblems({});
  };
  const chooseSite = (to: string) => {
    if (living.length > 0 && to !== siteId) setNextSite(to);
    else change({ siteId: to });
  };
  const press = () => {
    const entered = count === '' ? null : Number(count);
    const found = validateCombined({ siteId, count: entered }, accepted.length);
    setProblems(byField(found));
    if (found.length > 0) {
      const text = lineOf(found, (field) =>
        field === 'scrapRepairLineRequestList' ? 'SN' : translate(`bills.scrapRepair.${field}`),
      );
      return actions.showVerdict({ kind: 'wrong', sn: '', text });
    }
    actions.submit(
      {
        siteId,
        count: entered,
        department: department.trim(),
        remark: remark.trim(),
        scrapRepairLineRequestList: accepted.map(({ sn, data }) => ({ sn, salesCode: data?.item.salesCode ?? '' })),
      },
      accepted.map((it) => it.key),
    );
  };
  const expected = count === '' ? null : Number(count);
  const label = translate('stations.scanned');
  return (
    <>
      <ScanStation
        menuNo={menuNo}
        title={translate('bills.scrapRepair.combine')}
        station={station}
        isHeld={!setting.loaded || sites.isPending}
        isClosed={siteId === ''}
        idle={siteId === '' ? translate('bills.scrapRepair.siteFirst') : undefined}
        hint={translate('bills.scrapRepair.combineHint')}
        primary={{ label: translate('bills.scrapRepair.combineDo', { smart_count: accepted.length }), press }}
        before={
          <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 3 }}>
            <Choice
              required
              hasRoom
              thenScan
              minWidth={200}
              label={translate('bills.scrapRepair.siteId')}
              value={siteId}
              options={siteOptions}
              state={sites.isPending ? 'loading' : sites.isError ? 'failed' : undefined}
              error={problems['siteId']}
              onChange={chooseSite}
            />
            <NumberField
              required
              width={120}
              label={translate('bills.scrapRepair.count')}
              value={count}
              problem={problems['count']}
              onChange={(it) => change({ count: it })}
            />
            <TextField
              label={translate('bills.scrapRepair.department')}
              value={department}
              helperText=" "
              onChange={(it) => change({ department: it.target.value })}
              slotProps={{ htmlInput: { autoComplete: 'off', maxLength: DEPARTMENT_LENGTH } }}
              sx={{ flex: 1, minWidth: 180, maxWidth: 400 }}
            />
          </Box>
        }
        describe={({ data }) => data && `${data.item.name} · ${data.item.salesCode}`}
        tally={[{ label, value: expected === null ? String(accepted.length) : `${accepted.length} / ${expected}` }]}
        facts={
          <>
            <Panel title={translate('bills.scrapRepair.bill')}>
              <BigCount done={accepted.length} expected={expected} label={label} />
              <Box sx={{ mt: 4 }}>
                <RemarkField
                  label={translate('stations.field.remark')}
                  value={remark}
                  onChange={(it) => change({ remark: it })}
                />
              </Box>
            </Panel>
            <PerModel
              list={list}
              title={translate('stations.perModel')}
              rows={accepted.map(({ data }) => ({ code: data?.item.salesCode ?? '', name: data?.item.name ?? '' }))}
            />
          </>
        }
      />
      <Confirm
        thenScan
        danger
        open={nextSite !== null}
        title={translate('bills.scrapRepair.otherSite')}
        action={translate('bills.scrapRepair.otherSiteDo')}
        onCancel={() => setNextSite(null)}
        onConfirm={() => {
          actions.remove(living.map((it) => it.key));
          change({ siteId: nextSite ?? '' });
          setNextSite(null);
        }}
      >
        {translate('bills.scrapRepair.otherSiteWhy', { smart_count: living.length })}
      </Confirm>
    </>
  );
}
