import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { Choice } from '#app/parts/Choice.tsx';
import { SideScroll } from '#app/parts/SideScroll.tsx';
import { codeSx, cutSx } from '#app/theme.ts';
import { offeredKinds } from './rules.editing.ts';
import type { Guess } from './rules.workbook.ts';

interface Props {
  guesses: readonly Guess[];
  onKind: (at: number, kind: Guess['kind']) => void;
  onRequired: (at: number, required: boolean) => void;
}

/** What the columns of a workbook become, as guessed from their values. */
export function GuessTable({ guesses, onKind, onRequired }: Props) {
  const translate = useTranslate();
  const say = (key: string, args?: object) => translate(`studio.guess.${key}`, args);
  return (
    <SideScroll sx={{ maxHeight: 320, border: 1, borderColor: 'divider', borderRadius: 1 }}>
      <Table size="small" stickyHeader aria-label={say('title')}>
        <TableHead>
          <TableRow>
            {(['column', 'type', 'required', 'example'] as const).map((it) => (
              <TableCell key={it} sx={{ whiteSpace: 'nowrap' }}>
                {say(it)}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {guesses.map(({ head, name, kind, required, values, example }, i) => (
            <TableRow key={name}>
              <TableCell component="th" scope="row">
                {head}
                <Box component="code" sx={{ ...codeSx, display: 'block', fontSize: 12, color: 'text.secondary' }}>
                  {name}
                </Box>
              </TableCell>
              <TableCell sx={{ minWidth: 160 }}>
                <Choice
                  required
                  place="inside"
                  minWidth={200}
                  label={say('type')}
                  value={kind}
                  options={offeredKinds.map((it) => ({ value: it, label: translate(`studio.field.types.${it}`) }))}
                  onChange={(it) => onKind(i, it as Guess['kind'])}
                />
              </TableCell>
              <TableCell padding="checkbox">
                <Checkbox
                  size="small"
                  checked={required}
                  slotProps={{ input: { 'aria-label': say('requiredOf', { name: head }) } }}
                  onChange={(event) => onRequired(i, event.target.checked)}
                />
              </TableCell>
              <TableCell
                sx={{ maxWidth: 220, ...cutSx, color: 'text.secondary' }}
                title={values?.join(', ') ?? example}
              >
                {values?.join(', ') ?? example}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </SideScroll>
  );
}
