import { useState } from 'react';
import type { Static } from 'typebox';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import IconButton from '@mui/material/IconButton';
import ChevronRight from '@mui/icons-material/ChevronRight';
import ExpandMore from '@mui/icons-material/ExpandMore';
import { listed } from '#app/fields/format.ts';
import { GroupCheckbox } from '#app/parts/GroupCheckbox.tsx';
import { NumberField } from '#app/parts/NumberField.tsx';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import { codeSx } from '#app/theme.ts';
import type { BankLot } from './contract.ts';
import { capped } from './PickedLineDialog.tsx';
import { LotTable } from '#app/parts/LotTable.tsx';

export type Lot = Static<typeof BankLot>;

interface Props {
  lots: readonly Lot[];
  entered: ReadonlyMap<string, string>;
  isFt: boolean;
  isReady: boolean;
  onChange: (entered: ReadonlyMap<string, string>) => void;
}

/** A row a lot, which opens to its wafers or bins; nothing entered for a checked one means all of it. */
export function BankLots({ lots, entered, isFt, isReady, onChange }: Props) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const words = (name: string) => translate(`bills.order.${name}`);
  const nameOf = (piece: string) => (isFt ? labelOf('lotBins', piece) : piece);
  const toggle = (keys: readonly string[], isOn: boolean) => {
    const next = new Map(entered);
    for (const key of keys) {
      if (isOn) next.set(key, next.get(key) ?? '');
      else next.delete(key);
    }
    onChange(next);
  };
  if (isReady && lots.length === 0) {
    return (
      <Box role="status" sx={{ py: 6, textAlign: 'center', color: 'text.secondary' }}>
        {words('bankEmpty')}
      </Box>
    );
  }
  return (
    <LotTable
      label={words('banks')}
      heads={[
        '',
        words('lot'),
        isFt ? words('bin') : words('waferIds'),
        words('chips'),
        words('input'),
        words('holder'),
      ]}
    >
      {lots.flatMap((lot) => {
        const keys = lot.waferList.map((it) => `${lot.wipId}/${it.waferId}`);
        const checked = keys.filter((it) => entered.has(it)).length;
        const isOpen = open.has(lot.wipId);
        const flip = () => {
          const next = new Set(open);
          if (isOpen) next.delete(lot.wipId);
          else next.add(lot.wipId);
          setOpen(next);
        };
        const row = (
          <tr key={lot.wipId}>
            <td>
              <IconButton
                size="small"
                aria-expanded={isOpen}
                aria-label={`${words('open')} ${lot.waferLotId}`}
                onClick={flip}
              >
                {isOpen ? <ExpandMore fontSize="small" /> : <ChevronRight fontSize="small" />}
              </IconButton>
              <GroupCheckbox
                label={lot.waferLotId}
                sx={{ p: 0.5 }}
                count={checked}
                of={keys.length}
                onChange={() => toggle(keys, checked < keys.length)}
              />
            </td>
            <td>
              <Box component="span" sx={codeSx}>
                {lot.waferLotId}
              </Box>
            </td>
            <td>
              {lot.waferList.length > 9
                ? `${lot.waferList.length}`
                : listed(lot.waferList.map((it) => nameOf(it.waferId)))}
            </td>
            <td className="number">{lot.waferList.reduce((sum, it) => sum + it.chipQty, 0)}</td>
            <td />
            <td>{lot.supplierName}</td>
          </tr>
        );
        if (!isOpen) return [row];
        const pieces = lot.waferList.map(({ waferId, chipQty }) => {
          const key = `${lot.wipId}/${waferId}`;
          const name = `${lot.waferLotId} ${nameOf(waferId)}`;
          return (
            <tr key={key} className="piece">
              <td style={{ paddingLeft: 44 }}>
                <Checkbox
                  size="small"
                  sx={{ p: 0.5 }}
                  checked={entered.has(key)}
                  onChange={(_, isOn) => toggle([key], isOn)}
                  slotProps={{ input: { 'aria-label': name } }}
                />
              </td>
              <td />
              <td>{nameOf(waferId)}</td>
              <td className="number">{chipQty}</td>
              <td>
                <NumberField
                  place="unseen"
                  width={96}
                  label={`${words('input')} ${name}`}
                  disabled={!entered.has(key)}
                  value={entered.get(key) ?? ''}
                  onChange={(it) => onChange(new Map(entered).set(key, capped(it, chipQty)))}
                  htmlInput={{ placeholder: String(chipQty) }}
                />
              </td>
              <td />
            </tr>
          );
        });
        return [row, ...pieces];
      })}
    </LotTable>
  );
}
