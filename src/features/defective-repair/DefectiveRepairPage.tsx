import { useQuery } from '@tanstack/react-query';
import type { KeyboardEvent } from 'react';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useTranslate } from 'ra-core';
import type { Pager } from '#app/engine/wire.ts';
import { Choice } from '#app/parts/Choice.tsx';
import { isPlainEnter } from '#app/parts/enter.ts';
import type { PageProps } from '#app/parts/page.ts';
import { findVisible } from '#app/parts/visibleElements.ts';
import { send, sendTo } from '#app/send.ts';
import { useLanguage } from '#app/session.ts';
import type { InputOf } from '#domain/call.ts';
import { defectiveProductRepair, validateSnForDefective } from './contract.ts';
import { RegistrationStation } from './RegistrationStation.tsx';
import { validateDefective } from './rules.ts';
import { useRegistration } from './useRegistration.ts';

/** Defectives of the stock are registered for repair, with the parcel in which they came. Rule: events#e39. */
export default function DefectiveRepairPage({ menuNo }: PageProps) {
  const translate = useTranslate();
  const couriers = useCouriers();
  const registration = useRegistration<InputOf<typeof defectiveProductRepair>>({
    menuNo,
    step: 'defectiveProductRepair',
    check: (sn) => send(validateSnForDefective, { sn }),
    submit: (input, key) => send(defectiveProductRepair, input, { key }),
    validate: validateDefective,
    toInput: (form, scanned) => ({
      ...form,
      lineRequestList: scanned.map(({ sn, itemObject: { itemObjectId }, item: { salesCode } }) => ({
        itemObjectId,
        sn,
        salesCode,
      })),
    }),
  });
  const { setting, change, problems } = registration;
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isPlainEnter(event)) return;
    event.preventDefault();
    findVisible<HTMLInputElement>('input[data-scan=field]')?.focus();
  };
  return (
    <RegistrationStation
      menuNo={menuNo}
      step="defectiveProductRepair"
      registration={registration}
      before={
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3 }}>
          <Choice
            required
            minWidth={200}
            label={translate('stations.field.receiveShipId')}
            value={setting.receiveShipId}
            options={couriers.options}
            state={couriers.state}
            error={problems['receiveShipId']}
            onChange={(receiveShipId) => change({ receiveShipId })}
          />
          <TextField
            required
            label={translate('stations.field.receiveShipNo')}
            value={setting.receiveShipNo}
            error={problems['receiveShipNo'] !== undefined}
            helperText={problems['receiveShipNo'] ?? ' '}
            onChange={(it) => change({ receiveShipNo: it.target.value })}
            slotProps={{ htmlInput: { 'data-scan': 'number', autoComplete: 'off', maxLength: 64, onKeyDown } }}
            sx={{ flex: 1, minWidth: 220, maxWidth: 400 }}
          />
        </Box>
      }
    />
  );
}

/** The couriers to choose from; a select list takes 100. Rule: lists#selects. */
function useCouriers() {
  const language = useLanguage();
  const call = { method: 'GET', path: '/api/ubsShipment/pager.json', writes: false } as const;
  const { data, error, isPending } = useQuery({
    queryKey: [call.path, 'all'],
    queryFn: () => sendTo<Pager>(call, { pageStart: 0, pageCount: 100 }),
    staleTime: 5 * 60_000,
  });
  const options = (data?.items ?? []).map((it) => ({
    value: String(it['shipId']),
    label: String((language === 'en' && it['nameEn']) || (it['name'] ?? it['shipId'])),
  }));
  const state: 'loading' | 'failed' | undefined = isPending ? 'loading' : error ? 'failed' : undefined;
  return { options, state };
}
