import { useState } from 'react';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import TextField from '@mui/material/TextField';
import Add from '@mui/icons-material/Add';
import DeleteOutline from '@mui/icons-material/DeleteOutline';
import { useTranslate } from 'ra-core';
import { Choice } from '#app/parts/Choice.tsx';
import { Panel } from '#app/parts/Facts.tsx';
import { NumberField } from '#app/parts/NumberField.tsx';
import { useOptions } from '#app/parts/optionLabels.ts';
import { useLookup } from '#app/parts/useLookup.ts';
import { newKey } from '#app/send.ts';
import { besideLabelSx } from '#app/theme.ts';
import { GoodsType } from '#domain/enums.ts';
import { getSaleCodeList } from './contract.ts';

export interface EnteredLine {
  key: string;
  type: string;
  salesCode: string;
  count: string;
}

export const freshLine = (): EnteredLine => ({ key: newKey(), type: GoodsType.Device, salesCode: '', count: '' });

interface Props {
  lines: readonly EnteredLine[];
  onChange: (lines: readonly EnteredLine[]) => void;
  problems: Readonly<Record<string, string>>;
}

/** What the customer declares: how many of which model. */
export function BillLines({ lines, onChange, problems }: Props) {
  const translate = useTranslate();
  const [added, setAdded] = useState('');
  const add = () => {
    const line = freshLine();
    setAdded(line.key);
    onChange([...lines, line]);
  };
  const change = (key: string, part: Partial<EnteredLine>) =>
    onChange(lines.map((it) => (it.key === key ? { ...it, ...part } : it)));
  const total = lines.reduce((sum, it) => sum + (Number(it.count) || 0), 0);
  return (
    <Panel
      title={`${translate('stations.maintainBill.lines')} · ${translate('stations.maintainBill.total', { smart_count: total })}`}
      action={
        <Button startIcon={<Add />} onClick={add}>
          {translate('stations.maintainBill.addLine')}
        </Button>
      }
    >
      {lines.map((line, i) => (
        <BillLine
          key={line.key}
          isNew={line.key === added}
          line={line}
          number={i + 1}
          problems={{
            salesCode: problems[`rmaMaintainBillLineList.${i}.salesCode`],
            count: problems[`rmaMaintainBillLineList.${i}.count`],
          }}
          onChange={(part) => change(line.key, part)}
          onRemove={lines.length > 1 ? () => onChange(lines.filter((it) => it.key !== line.key)) : undefined}
        />
      ))}
    </Panel>
  );
}

interface LineProps {
  /** Was added by the button: what is entered next is its. */
  isNew: boolean;
  line: EnteredLine;
  number: number;
  problems: { salesCode?: string; count?: string };
  onChange: (part: Partial<EnteredLine>) => void;
  onRemove?: () => void;
}

function BillLine({ isNew, line, number, problems, onChange, onRemove }: LineProps) {
  const translate = useTranslate();
  const types = useOptions('goodsType');
  const { data } = useLookup(getSaleCodeList, { saleCode: line.salesCode, type: line.type });
  const found = data?.saleCodeList ?? [];
  const name = found.find((it) => it.salesCode === line.salesCode.trim().toUpperCase())?.name;
  const listId = `sales-codes-${line.key}`;
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        alignItems: 'start',
        gridTemplateColumns: { xs: '1fr 1fr', md: '160px minmax(200px, 2fr) 140px 40px' },
      }}
    >
      <Choice
        hasRoom
        minWidth={0}
        label={translate('stations.field.type')}
        value={line.type}
        options={types}
        onChange={(type) => onChange({ type, salesCode: '' })}
      />
      <TextField
        required
        autoFocus={isNew}
        label={translate('stations.field.salesCode')}
        value={line.salesCode}
        error={problems.salesCode !== undefined}
        helperText={problems.salesCode ?? name ?? ' '}
        onChange={(it) => onChange({ salesCode: it.target.value.toUpperCase() })}
        slotProps={{ htmlInput: { list: listId, autoComplete: 'off' } }}
      />
      <datalist id={listId}>
        {found.map((it) => (
          <option key={it.salesCode} value={it.salesCode}>
            {it.name}
          </option>
        ))}
      </datalist>
      <NumberField
        required
        label={translate('stations.field.count')}
        value={line.count}
        problem={problems.count}
        onChange={(count) => onChange({ count })}
      />
      <IconButton
        aria-label={translate('stations.maintainBill.removeLine', { number })}
        disabled={!onRemove}
        onClick={onRemove}
        sx={{ mt: { md: besideLabelSx.mt }, justifySelf: 'start' }}
      >
        <DeleteOutline />
      </IconButton>
    </Box>
  );
}
