import Box from '@mui/material/Box';
import { useTranslate } from 'ra-core';
import { Choice } from '#app/parts/Choice.tsx';
import { NumberField } from '#app/parts/NumberField.tsx';
import { useOptions } from '#app/parts/optionLabels.ts';
import { useBaseData } from '#app/parts/useLookup.ts';
import { ReceivePayment } from '#domain/enums.ts';
import { allDepreciations } from '#domain/lookups.ts';
import type { Setting } from './receiveLines.tsx';

interface Props {
  value: Setting;
  onChange: (value: Setting) => void;
  /** What is not ours says what it is. */
  hasType: boolean;
}

/** How worn the next devices are, and who paid the carrier of this parcel. */
export function ReceiptSetting({ value, onChange, hasType }: Props) {
  const translate = useTranslate();
  const depreciations = useBaseData(allDepreciations, {}).data?.items ?? [];
  const types = useOptions('goodsType');
  const payments = useOptions('receiptPayment');
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3 }}>
      {hasType && (
        <Choice
          thenScan
          required
          label={translate('stations.notOur.type')}
          value={value.type}
          options={types}
          onChange={(type) => onChange({ ...value, type })}
        />
      )}
      <Choice
        thenScan
        required
        label={translate('stations.field.depreciation')}
        value={value.depreciation}
        options={depreciations.map((it) => ({ value: it.value, label: `${it.value}  ${it.name}` }))}
        onChange={(depreciation) => onChange({ ...value, depreciation })}
      />
      <Choice
        thenScan
        label={translate('stations.field.payment')}
        value={value.payment}
        options={payments}
        onChange={(payment) => onChange({ ...value, payment })}
      />
      {value.payment === ReceivePayment.Arrival && (
        <NumberField
          required
          isBare
          kind="money"
          label={translate('stations.field.payAmount')}
          value={value.payAmount}
          width={160}
          onChange={(payAmount) => onChange({ ...value, payAmount })}
        />
      )}
    </Box>
  );
}
