import { useRef, type KeyboardEvent, type RefObject } from 'react';
import TextField from '@mui/material/TextField';
import { useTranslate } from 'ra-core';
import { Choice } from '#app/parts/Choice.tsx';
import { NumberField } from '#app/parts/NumberField.tsx';
import { isPlainEnter } from '#app/parts/enter.ts';
import { useOptions } from '#app/parts/optionLabels.ts';
import { useBaseChoices } from '#app/parts/useBaseChoices.ts';
import { useLookup } from '#app/parts/useLookup.ts';
import { useUser } from '#app/session.ts';
import { loadUserSites } from '#domain/lookups.ts';
import { FieldRow, type PartProps } from './FieldRow.tsx';
import { lengthOf } from './rules.ts';

interface Props extends PartProps {
  inputRef: RefObject<HTMLInputElement | null>;
  /** The number is whole: by Enter, or because somebody goes on. */
  onLeaveNo: () => void;
}

/** What is on the parcel: by whom it came, its number, how much of it can be repaired. */
export function ParcelFields({ draft, problems, onChange, inputRef, onLeaveNo }: Props) {
  const translate = useTranslate();
  const courier = useRef<HTMLInputElement>(null);
  const shipments = useBaseChoices('ubsShipment', 'shipId', 'name');
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (!isPlainEnter(event)) return;
    event.preventDefault();
    courier.current?.focus();
  };
  return (
    <>
      <FieldRow>
        <TextField
          required
          autoFocus
          inputRef={inputRef}
          label={translate('stations.field.receiveShipNo')}
          value={draft.receiveShipNo}
          error={problems['receiveShipNo'] !== undefined}
          helperText={problems['receiveShipNo'] ?? ' '}
          onChange={(it) => onChange({ receiveShipNo: it.target.value })}
          onBlur={onLeaveNo}
          slotProps={{
            htmlInput: { 'data-scan': 'number', autoComplete: 'off', maxLength: lengthOf('receiveShipNo'), onKeyDown },
          }}
        />
        <Choice
          required
          hasRoom
          inputRef={courier}
          label={translate('stations.field.receiveShipId')}
          value={draft.receiveShipId}
          options={shipments.options}
          state={shipments.state}
          error={problems['receiveShipId']}
          onChange={(receiveShipId) => onChange({ receiveShipId })}
        />
        <NumberField
          required
          label={translate('bills.package.count')}
          value={draft.repairableCount}
          problem={problems['repairableCount']}
          onChange={(repairableCount) => onChange({ repairableCount })}
        />
        <Choice
          required
          hasRoom
          label={translate('bills.package.billType')}
          value={draft.languageType}
          options={useOptions('billLanguages')}
          error={problems['languageType']}
          onChange={(languageType) => onChange({ languageType })}
        />
      </FieldRow>
      <SiteChoice {...{ draft, problems, onChange }} />
    </>
  );
}

/** Who works for several sites says at which of them the parcel is. */
function SiteChoice({ draft, problems, onChange }: PartProps) {
  const translate = useTranslate();
  const home = useUser()?.siteId ?? '';
  const { data } = useLookup(loadUserSites, {});
  const sites = data?.items ?? [];
  if (sites.length < 2) return null;
  return (
    <Choice
      required
      hasRoom
      label={translate('stations.field.siteId')}
      value={draft.siteId || home}
      options={sites.map((it) => ({ value: it.siteId, label: it.siteName }))}
      error={problems['siteId']}
      onChange={(siteId) => onChange({ siteId })}
    />
  );
}
