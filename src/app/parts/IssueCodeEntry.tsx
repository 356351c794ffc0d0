import { type KeyboardEvent, useId, useState } from 'react';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import TextField from '@mui/material/TextField';
import { useTranslate } from 'ra-core';
import { normaliseCode } from '#domain/issueCode.ts';
import { useShowError } from '#app/parts/scan/stationLine.ts';
import { SideScroll } from '#app/parts/SideScroll.tsx';
import { isPlainEnter } from '#app/parts/enter.ts';
import { besideLabelSx, codeSx } from '#app/theme.ts';

export interface ChosenCode {
  codeId: number;
  code: string;
  name: string;
  disposition: string | null;
  imageRequired: string | null;
}

interface Props {
  label: string;
  /** Every code of the step's category. */
  choices: readonly ChosenCode[];
  codes: readonly ChosenCode[];
  onChange: (codes: readonly ChosenCode[]) => void;
  required?: boolean;
  error?: string;
}

/**
 * Codes by scanning or typing, one after the other; chosen rows of the list can be deleted. Rule: checking#entering.
 */
export function IssueCodeEntry({ label, choices, codes, onChange, required, error }: Props) {
  const translate = useTranslate();
  const listId = useId();
  const [text, setText] = useState('');
  const showError = useShowError();
  const [problem, setProblem] = useState('');
  const [selected, setSelected] = useState<readonly number[]>([]);

  const refuse = (why: string, inLine = why) => {
    setProblem(why);
    showError(inLine);
  };
  const add = () => {
    const code = normaliseCode(text);
    if (code === '') return refuse(translate('stations.emptyMsg'), translate('refusals.required', { fields: label }));
    const found = choices.find((it) => it.code === code);
    if (!found) return refuse(translate('stations.noSuchCode', { code }));
    setText('');
    setProblem('');
    if (!codes.some((it) => it.codeId === found.codeId)) onChange([...codes, found]);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isPlainEnter(event)) return;
    event.preventDefault();
    add();
  };
  const toggle = (id: number) =>
    setSelected(selected.includes(id) ? selected.filter((it) => it !== id) : [...selected, id]);
  const remove = () => {
    if (!codes.some((it) => selected.includes(it.codeId))) return refuse(translate('stations.selectMsg'));
    onChange(codes.filter((it) => !selected.includes(it.codeId)));
    setSelected([]);
    setProblem('');
  };

  return (
    <Box>
      <Box sx={{ display: 'flex', gap: 2, alignItems: 'flex-start' }}>
        <TextField
          label={label}
          required={required}
          value={text}
          onChange={(it) => setText(it.target.value.toUpperCase())}
          error={problem !== '' || error !== undefined}
          helperText={problem || error || ' '}
          sx={{ width: 240 }}
          slotProps={{ htmlInput: { list: listId, 'data-scan': 'code', autoComplete: 'off', onKeyDown } }}
        />
        <datalist id={listId}>
          {choices.map((it) => (
            <option key={it.codeId} value={it.code}>
              {it.name}
            </option>
          ))}
        </datalist>
        <Button variant="outlined" size="medium" onClick={add} sx={besideLabelSx}>
          {translate('stations.addCode')}
        </Button>
        <Box sx={{ flex: 1 }} />
        <Button size="medium" onClick={remove} disabled={codes.length === 0} sx={besideLabelSx}>
          {translate('stations.deleteCode')}
        </Button>
      </Box>
      {codes.length > 0 && (
        <SideScroll sx={{ maxHeight: 500, border: 1, borderColor: 'divider', borderRadius: 1 }}>
          <Table size="small" aria-label={label}>
            <TableBody>
              {codes.map((it) => (
                <TableRow
                  key={it.codeId}
                  hover
                  selected={selected.includes(it.codeId)}
                  onClick={() => toggle(it.codeId)}
                  sx={{ height: 36, cursor: 'pointer', '&:last-child td': { border: 0 } }}
                >
                  <TableCell sx={{ width: 44, p: 0 }}>
                    <Checkbox
                      size="small"
                      checked={selected.includes(it.codeId)}
                      onClick={(event) => event.stopPropagation()}
                      onChange={() => toggle(it.codeId)}
                      slotProps={{ input: { 'aria-label': it.code } }}
                    />
                  </TableCell>
                  <TableCell sx={{ ...codeSx, width: 96, fontWeight: 600 }}>{it.code}</TableCell>
                  <TableCell>{it.name}</TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </SideScroll>
      )}
    </Box>
  );
}
