import { useEffect, useRef } from 'react';
import Box from '@mui/material/Box';
import { useTranslate } from 'ra-core';
import { Choice } from '#app/parts/Choice.tsx';
import { BigCount, Panel } from '#app/parts/Facts.tsx';
import { useOptions } from '#app/parts/optionLabels.ts';
import type { PageProps } from '#app/parts/page.ts';
import { PerModel } from '#app/parts/PerModel.tsx';
import { ScanStation } from '#app/parts/scan/ScanStation.tsx';
import { usePersistedState } from '#app/parts/scan/usePersistedState.ts';
import { useStationScope } from '#app/parts/scan/useStationScope.ts';
import { useStation } from '#app/parts/scan/useStation.ts';
import { send } from '#app/send.ts';
import type { DataOf, InputOf } from '#domain/call.ts';
import { PACKAGE_COUNT, packageCounts, StorageType, Warehouse } from '#domain/enums.ts';
import { checkStorage, submitStoreBill } from './contract.ts';
import { storageTypeOf } from './rules.ts';

interface Setting {
  packageCount: number;
  subinventoryCode: string;
}

/** Units go on the shelf by the package; a full package submits itself, an odd lot by hand. Rule: storing#packages. */
export default function StorePage({ menuNo }: PageProps) {
  const translate = useTranslate();
  const shelves = useOptions('subinventory').filter((it) => storageTypeOf(it.value) === StorageType.Goods);
  const scope = useStationScope('store-setting', '');
  const setting = usePersistedState<Setting>(scope, 'setting', {
    packageCount: PACKAGE_COUNT,
    subinventoryCode: Warehouse.Goods,
  });
  const { packageCount, subinventoryCode } = setting.value;
  const station = useStation<
    DataOf<typeof checkStorage>,
    InputOf<typeof submitStoreBill>,
    DataOf<typeof submitStoreBill>
  >({
    name: 'store',
    check: (sn) => send(checkStorage, { sn }),
    submit: (input, key) => send(submitStoreBill, input, { key }),
    successText: ({ storedCount, stbId }) => translate('stations.store.told', { smart_count: storedCount, stbId }),
  });
  const { accepted, sending, actions, list } = station;

  const submit = (scans: typeof accepted) => {
    const rmaStoreBillLineList = scans.map(({ sn, data }) => ({ sn, salesCode: data?.salesCode, name: data?.name }));
    actions.submit(
      { rmaStoreBillLineList, packageCount, subinventoryCode },
      scans.map((it) => it.key),
    );
  };
  const press = () => {
    if (accepted.length > 0) return submit(accepted.slice(0, packageCount));
    actions.showVerdict({ kind: 'wrong', sn: '', text: translate('stations.emptyMsg') });
  };

  // Each full package is tried once: after a refusal the list is put right by hand, not submitted over and over.
  const tried = useRef('');
  useEffect(() => {
    if (list !== 'here' || !setting.loaded || sending || accepted.length < packageCount) return;
    const full = accepted.slice(0, packageCount);
    const name = full.map((it) => it.key).join();
    if (tried.current === name) return;
    tried.current = name;
    submit(full);
  });

  return (
    <ScanStation
      menuNo={menuNo}
      title={translate('stations.store.title')}
      station={station}
      primary={{
        label: translate('stations.store.do', { smart_count: Math.min(accepted.length, packageCount) }),
        press,
      }}
      commands={{
        quantities: packageCounts,
        onQuantity: (count) => setting.set({ ...setting.value, packageCount: count }),
      }}
      before={
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3 }}>
          <Choice
            thenScan
            label={translate('stations.store.packageCount')}
            value={String(packageCount)}
            options={packageCounts.map((it) => ({ value: String(it), label: String(it) }))}
            onChange={(it) => setting.set({ ...setting.value, packageCount: Number(it) })}
          />
          <Choice
            thenScan
            label={translate('stations.store.shelf')}
            value={subinventoryCode}
            options={shelves.map(({ value, label }) => ({ value, label: `${value}  ${label}` }))}
            onChange={(it) => setting.set({ ...setting.value, subinventoryCode: it })}
          />
        </Box>
      }
      describe={({ data }) => data && `${data.name} · ${data.salesCode}`}
      tally={[{ label: translate('stations.store.inPackage'), value: `${accepted.length} / ${packageCount}` }]}
      facts={
        <>
          <Panel title={translate('stations.store.package')}>
            <BigCount done={accepted.length} expected={packageCount} label={translate('stations.store.inPackage')} />
          </Panel>
          <PerModel
            list={list}
            title={translate('stations.perModel')}
            rows={accepted.map(({ data }) => ({ code: data?.salesCode ?? '', name: data?.name ?? '' }))}
          />
        </>
      }
    />
  );
}
