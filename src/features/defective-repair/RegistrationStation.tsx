import type { ReactNode } from 'react';
import Box from '@mui/material/Box';
import { useTranslate } from 'ra-core';
import { BigCount, FactGrid, Panel } from '#app/parts/Facts.tsx';
import { PerModel } from '#app/parts/PerModel.tsx';
import { RemarkField } from '#app/parts/RemarkField.tsx';
import { ScanStation } from '#app/parts/scan/ScanStation.tsx';
import type { Registration } from '#domain/workflow.ts';
import type { useRegistration } from './useRegistration.ts';

interface Props<Input> {
  menuNo: string;
  step: Registration;
  registration: ReturnType<typeof useRegistration<Input>>;
  /** What is entered before the SNs are scanned. */
  before?: ReactNode;
}

/** The page of a registration: the SNs by their sales codes, the site at which they lie, a remark. Rule: bills#own-goods. */
export function RegistrationStation<Input>({ menuNo, step, registration, before }: Props<Input>) {
  const translate = useTranslate();
  const { station, setting, isHeld, change, press, siteName } = registration;
  const { accepted, list } = station;
  const count = translate('stations.scanned');
  return (
    <ScanStation
      menuNo={menuNo}
      title={translate(`stations.ownGoods.${step}`)}
      station={station}
      isHeld={isHeld}
      hint={translate(`stations.ownGoods.hint.${step}`)}
      primary={{ label: translate('stations.ownGoods.do', { smart_count: accepted.length }), press }}
      before={before}
      describe={({ data }) => data && `${data.item.name} · ${data.item.salesCode}`}
      tally={[{ label: count, value: String(accepted.length) }]}
      facts={
        <>
          <Panel title={translate('stations.ownGoods.bill')}>
            <BigCount done={accepted.length} expected={null} label={count} />
            <Box sx={{ mt: 3 }}>
              <FactGrid facts={[{ label: translate('stations.field.siteId'), value: siteName }]} />
            </Box>
            <Box sx={{ mt: 4 }}>
              <RemarkField
                label={translate('stations.field.remark')}
                value={setting.remark}
                onChange={(remark) => change({ remark })}
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
  );
}
