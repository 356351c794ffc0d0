import { useState } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import InputBase from '@mui/material/InputBase';
import Close from '@mui/icons-material/Close';
import Edit from '@mui/icons-material/EditOutlined';
import { listed } from '#app/fields/format.ts';
import { IconAction } from '#app/parts/IconAction.tsx';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import { codeSx } from '#app/theme.ts';
import { REMARK_LENGTH } from '#domain/enums.ts';
import { LotTable } from '#app/parts/LotTable.tsx';
import { PickedLineDialog } from './PickedLineDialog.tsx';
import { ORIGIN_LENGTH, type SelectedLot } from './rules.ts';

interface Props {
  picked: readonly SelectedLot[];
  isFt: boolean;
  onChange: (picked: readonly SelectedLot[]) => void;
}

/** What goes into the order: a line for each lot, or for each group of the final test. Taking it out gives it back. */
export function PickedLots({ picked, isFt, onChange }: Props) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const [edited, setEdited] = useState<string>();
  const keyOf = (it: SelectedLot) => (isFt ? `${it.group}` : it.wipId);
  const lines = [...new Set(picked.map(keyOf))].map((key) => ({ key, of: picked.filter((it) => keyOf(it) === key) }));
  if (lines.length === 0) {
    return (
      <Box
        sx={{ py: 4, color: 'text.secondary', textAlign: 'center', border: 1, borderColor: 'divider', borderRadius: 1 }}
      >
        {translate('bills.order.noWafersYet')}
      </Box>
    );
  }
  const change = (key: string, more: Partial<SelectedLot>) =>
    onChange(picked.map((it) => (keyOf(it) === key ? { ...it, ...more } : it)));
  const words = (name: string) => translate(`bills.order.${name}`);
  const line = lines.find((it) => it.key === edited);
  return (
    <>
      <LotTable
        label={words('wafers')}
        heads={[
          isFt ? words('group') : words('lot'),
          words('stage'),
          isFt ? words('lots') : words('waferIds'),
          ...(isFt ? [words('program')] : []),
          words('chips'),
          ...(isFt ? [words('originPlace')] : []),
          translate('stations.field.remark'),
          '',
        ]}
      >
        {lines.map(({ key, of }) => {
          const [first] = of;
          const pieces = of.map((it) => (isFt ? `${it.waferLotId} ${labelOf('lotBins', it.piece)}` : it.piece));
          const name = isFt ? key : (first?.waferLotId ?? key);
          return (
            <tr key={key}>
              <td>
                <Box component="span" sx={codeSx}>
                  {name}
                </Box>
              </td>
              <td>{labelOf('icopStages', first?.stage)}</td>
              <td>{listed(pieces)}</td>
              {isFt && <td>{first?.ftTestProgram}</td>}
              <td className="number">{of.reduce((sum, it) => sum + it.inputQty, 0)}</td>
              {isFt && (
                <td>
                  <Entry
                    label={`${words('originPlace')} ${name}`}
                    most={ORIGIN_LENGTH}
                    value={first?.originPlace}
                    onChange={(originPlace) => change(key, { originPlace })}
                  />
                </td>
              )}
              <td>
                <Entry
                  label={`${translate('stations.field.remark')} ${name}`}
                  most={REMARK_LENGTH}
                  value={first?.remark}
                  onChange={(remark) => change(key, { remark })}
                />
              </td>
              <td>
                <IconAction
                  label={translate('bills.order.editLine', { name })}
                  Icon={Edit}
                  size={18}
                  onClick={() => setEdited(key)}
                />
                <IconAction
                  label={translate('bills.order.remove', { name })}
                  Icon={Close}
                  onClick={() => onChange(picked.filter((it) => keyOf(it) !== key))}
                />
              </td>
            </tr>
          );
        })}
      </LotTable>
      {line && (
        <PickedLineDialog
          name={isFt ? line.key : (line.of[0]?.waferLotId ?? line.key)}
          pieces={line.of}
          isFt={isFt}
          onSave={(pieces) => onChange(lines.flatMap((it) => (it === line ? pieces : it.of)))}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  );
}

interface EntryProps {
  label: string;
  most: number;
  value: string | undefined;
  onChange: (value: string) => void;
}

/** A field as low as the row that it stands in. */
const Entry = ({ label, most, value = '', onChange }: EntryProps) => (
  <InputBase
    value={value}
    onChange={(it) => onChange(it.target.value)}
    inputProps={{ 'aria-label': label, maxLength: most }}
    sx={{ height: 28, px: 2, fontSize: 13, minWidth: 120, border: 1, borderColor: 'divider', borderRadius: 1 }}
  />
);
