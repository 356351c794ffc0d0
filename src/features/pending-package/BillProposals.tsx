import { useState } from 'react';
import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import TextField from '@mui/material/TextField';
import { useTranslate } from 'ra-core';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import { useLater } from '#app/parts/useLater.ts';
import { useLookup } from '#app/parts/useLookup.ts';
import { codeSx } from '#app/theme.ts';
import type { DataOf } from '#domain/call.ts';
import { findBills } from './contract.ts';

interface Props {
  /** The package's. */
  id: string;
  value: string;
  onChange: (mtbId: string) => void;
}

/** The bills that a package may belong to, to choose one from; what is typed finds others. Rule: parcels#matching. */
export function BillProposals({ id, value, onChange }: Props) {
  const translate = useTranslate();
  const say = (key: string) => translate(`bills.packageStatus.${key}`);
  const [text, setText] = useState('');
  const search = useLater(text.trim());
  const { data, isPending, isError } = useLookup(findBills, { id, search }, { staleTime: 0 });
  const bills = data?.items ?? [];
  return (
    <>
      <TextField
        label={say('search')}
        value={text}
        helperText={say('searchHint')}
        onChange={(it) => setText(it.target.value)}
        slotProps={{ htmlInput: { maxLength: 64, autoComplete: 'off', spellCheck: false } }}
      />
      <Box role="status" sx={{ fontSize: 13, color: isError ? 'error.main' : 'text.secondary' }}>
        {isError ? say('failed') : !isPending && bills.length === 0 && say('none')}
      </Box>
      {bills.length > 0 && (
        <RadioGroup aria-label={say('bills')} value={value} onChange={(_, it) => onChange(it)}>
          {bills.map((it) => (
            <FormControlLabel
              key={it.mtbId}
              value={it.mtbId}
              control={<Radio size="small" />}
              label={<Proposal bill={it} />}
            />
          ))}
        </RadioGroup>
      )}
    </>
  );
}

function Proposal({ bill }: { bill: DataOf<typeof findBills>['items'][number] }) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const { mtbId, userName, receiveShipNo, billStatus, match } = bill;
  const facts = [
    userName,
    receiveShipNo,
    labelOf('billStatus', billStatus),
    translate(`bills.packageStatus.match.${match}`),
  ];
  return (
    <>
      <Box component="span" sx={{ ...codeSx, fontWeight: 600 }}>
        {mtbId}
      </Box>{' '}
      <Box component="span" sx={{ fontSize: 13, color: 'text.secondary' }}>
        {facts.filter(Boolean).join(' · ')}
      </Box>
    </>
  );
}
