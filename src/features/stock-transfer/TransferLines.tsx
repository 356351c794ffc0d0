import { useId, useRef } from 'react';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import TextField from '@mui/material/TextField';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Add from '@mui/icons-material/Add';
import DeleteOutline from '@mui/icons-material/DeleteOutline';
import { useTranslate } from 'ra-core';
import { Choice } from '#app/parts/Choice.tsx';
import { Panel } from '#app/parts/Facts.tsx';
import { NumberField } from '#app/parts/NumberField.tsx';
import { useLabelOf, useOptions } from '#app/parts/optionLabels.ts';
import { SideScroll } from '#app/parts/SideScroll.tsx';
import { isPlainEnter } from '#app/parts/enter.ts';
import { useLookup } from '#app/parts/useLookup.ts';
import { besideLabelSx, codeSx } from '#app/theme.ts';
import { StorageType } from '#domain/enums.ts';
import { normaliseNo } from '#domain/sn.ts';
import { getSaleCodeList } from './contract.ts';
import type { Goods, NewLine } from './rules.ts';

/** A line as it is entered. */
export interface EnteredLine extends Goods {
  count: string;
}

export const noLine: EnteredLine = { storageType: StorageType.Goods, itemType: '', salesCode: '', count: '' };

interface Props {
  entered: EnteredLine;
  lines: readonly NewLine[];
  problems: Readonly<Record<string, string>>;
  onEnter: (line: EnteredLine) => void;
  /** Gives whether the line was taken. */
  onAdd: (line: EnteredLine) => boolean;
  onRemove: (line: NewLine) => void;
}

/** What is to be transferred, entered line by line; the next line begins at the sales code. */
export function TransferLines({ entered, lines, problems, onEnter, onAdd, onRemove }: Props) {
  const translate = useTranslate();
  const storageTypes = useOptions('storageType');
  const itemTypes = useOptions('itemTypes');
  const { data } = useLookup(getSaleCodeList, { saleCode: entered.salesCode });
  const found = data?.saleCodeList ?? [];
  const code = useRef<HTMLInputElement>(null);
  const listId = useId();
  const known = (salesCode: string) => found.find((it) => it.salesCode === normaliseNo(salesCode));
  const total = lines.reduce((sum, it) => sum + it.count, 0);
  // A code that is known says what its item is.
  const itemType = entered.itemType || (known(entered.salesCode)?.itemType ?? '');
  const add = () => {
    if (onAdd({ ...entered, itemType })) code.current?.focus();
  };
  const enter = (part: Partial<EnteredLine>) => onEnter({ ...entered, ...part });
  return (
    <Panel
      title={`${translate('bills.transfer.lines')} · ${translate('bills.transfer.total', { smart_count: total })}`}
    >
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          alignItems: 'start',
          gridTemplateColumns: { xs: '1fr 1fr', md: 'minmax(200px, 2fr) 160px 160px 120px auto' },
        }}
      >
        <TextField
          required
          label={translate('stations.field.salesCode')}
          value={entered.salesCode}
          inputRef={code}
          error={problems['salesCode'] !== undefined}
          helperText={problems['salesCode'] ?? known(entered.salesCode)?.name ?? ' '}
          onChange={(it) => {
            const salesCode = it.target.value.toUpperCase();
            enter({ salesCode, itemType: known(salesCode)?.itemType ?? '' });
          }}
          slotProps={{ htmlInput: { list: listId, autoComplete: 'off', maxLength: 64 } }}
        />
        <datalist id={listId}>
          {found.map((it) => (
            <option key={it.salesCode} value={it.salesCode}>
              {it.name}
            </option>
          ))}
        </datalist>
        <Choice
          required
          hasRoom
          minWidth={0}
          label={translate('stations.field.itemType')}
          value={itemType}
          options={itemTypes}
          error={problems['itemType']}
          onChange={(it) => enter({ itemType: it })}
        />
        <Choice
          required
          hasRoom
          minWidth={0}
          label={translate('stations.field.storageType')}
          value={entered.storageType}
          options={storageTypes}
          error={problems['storageType']}
          onChange={(it) => enter({ storageType: it })}
        />
        <NumberField
          required
          label={translate('stations.field.count')}
          value={entered.count}
          problem={problems['count']}
          onChange={(count) => enter({ count })}
          onKeyDown={(event) => {
            if (!isPlainEnter(event)) return;
            event.preventDefault();
            add();
          }}
        />
        <Button variant="outlined" size="medium" startIcon={<Add />} onClick={add} sx={besideLabelSx}>
          {translate('bills.transfer.addLine')}
        </Button>
      </Box>
      <LineTable lines={lines} onRemove={onRemove} />
    </Panel>
  );
}

function LineTable({ lines, onRemove }: Pick<Props, 'lines' | 'onRemove'>) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  if (lines.length === 0) {
    return <Box sx={{ py: 4, color: 'text.secondary' }}>{translate('bills.transfer.noLines')}</Box>;
  }
  const heads = ['salesCode', 'itemType', 'storageType', 'count'] as const;
  return (
    <SideScroll sx={{ mt: 2 }}>
      <Table size="small" aria-label={translate('bills.transfer.lines')}>
        <TableHead>
          <TableRow>
            {heads.map((it) => (
              <TableCell key={it} align={it === 'count' ? 'right' : 'left'}>
                {translate(`stations.field.${it}`)}
              </TableCell>
            ))}
            <TableCell />
          </TableRow>
        </TableHead>
        <TableBody>
          {lines.map((line) => (
            <TableRow key={`${line.salesCode} ${line.itemType} ${line.storageType}`}>
              <TableCell sx={codeSx}>{line.salesCode}</TableCell>
              <TableCell>{labelOf('itemTypes', line.itemType)}</TableCell>
              <TableCell>{labelOf('storageType', line.storageType)}</TableCell>
              <TableCell align="right">{line.count}</TableCell>
              <TableCell padding="checkbox">
                <IconButton
                  size="small"
                  aria-label={translate('bills.transfer.removeLine', { code: line.salesCode })}
                  onClick={() => onRemove(line)}
                >
                  <DeleteOutline fontSize="small" />
                </IconButton>
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </SideScroll>
  );
}
