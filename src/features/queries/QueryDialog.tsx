import { useId, useState, type ReactNode } from 'react';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { useTranslate } from 'ra-core';
import { useReasonOf } from '#app/notify.ts';
import { EMPTY } from '#app/fields/format.ts';
import { modalWidths } from '#app/parts/ActionModal.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { EmptyState } from '#app/parts/EmptyState.tsx';
import { SideScroll } from '#app/parts/SideScroll.tsx';
import { SnField } from '#app/parts/SnField.tsx';
import { useLookup } from '#app/parts/useLookup.ts';
import type { Call, DataOf, InputOf } from '#domain/call.ts';
import { normaliseNo } from '#domain/sn.ts';

/** A call that answers rows. */
type Query = Call & { data: unknown };
type ItemOf<C extends Query> = DataOf<C> extends { items: readonly (infer Item)[] } ? Item : never;

export interface QueryColumn<Item> {
  name: string;
  label: string;
  cell: (item: Item) => ReactNode;
}

interface Props<C extends Query> extends Pick<DialogProps, 'button' | 'rows' | 'onClose'> {
  call: C;
  /** What is asked by, in the user's language, and the field of a selected row that is asked about at once. */
  asks: { label: string; field: string };
  toInput: (text: string) => InputOf<C>;
  columns: readonly QueryColumn<ItemOf<C>>[];
  width?: keyof typeof modalWidths;
}

/** One thing is typed or scanned, and what it is answers as a table; Enter asks. Rule: parts#queries. */
export function QueryDialog<C extends Query>(props: Props<C>) {
  const { button, rows, onClose, call, asks, toInput, columns, width = 'normal' } = props;
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  const id = useId();
  const given = rows[0]?.[asks.field];
  const [text, setText] = useState(typeof given === 'string' ? given : '');
  const [asked, setAsked] = useState(normaliseNo(text));
  const { data, error, isFetching } = useLookup(call, toInput(asked), { enabled: asked !== '', staleTime: 0 });
  const items = (data as { items: ItemOf<C>[] } | undefined)?.items;
  return (
    <Dialog
      open
      fullWidth
      maxWidth={false}
      onClose={onClose}
      aria-labelledby={id}
      slotProps={{ paper: { sx: { maxWidth: modalWidths[width] } } }}
    >
      <DialogTitle id={id}>{button.btnName}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 3 }}>
        <Box
          component="form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            setAsked(normaliseNo(text));
            setText(normaliseNo(text));
          }}
          sx={{ display: 'flex', gap: 2, alignItems: 'flex-start', pt: 1 }}
        >
          <Box sx={{ flex: 1, maxWidth: 420 }}>
            <SnField label={asks.label} value={text} onChange={setText} />
          </Box>
          <Button
            type="submit"
            variant="contained"
            loading={isFetching}
            disabled={text.trim() === ''}
            sx={{ mt: '22px' }}
          >
            {translate('serials.query.ask')}
          </Button>
        </Box>
        {error && asked !== '' && (
          <Alert severity="error" role="alert">
            {reasonOf(error)}
          </Alert>
        )}
        {items?.length === 0 && <EmptyState isSmall text={translate('serials.query.none')} />}
        {items && items.length > 0 && (
          <SideScroll tabIndex={0} role="group" aria-label={asked} sx={{ maxHeight: 550 }}>
            <Table size="small" stickyHeader aria-label={asked}>
              <TableHead>
                <TableRow>
                  {columns.map((it) => (
                    <TableCell key={it.name} sx={{ whiteSpace: 'nowrap' }}>
                      {it.label}
                    </TableCell>
                  ))}
                </TableRow>
              </TableHead>
              <TableBody>
                {items.map((item, i) => (
                  <TableRow key={i} sx={{ height: 36 }}>
                    {columns.map((it) => (
                      <TableCell key={it.name} sx={{ whiteSpace: 'nowrap' }}>
                        {it.cell(item) ?? EMPTY}
                      </TableCell>
                    ))}
                  </TableRow>
                ))}
              </TableBody>
            </Table>
          </SideScroll>
        )}
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" color="inherit" onClick={onClose}>
          {translate('ra.action.close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
