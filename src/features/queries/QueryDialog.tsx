import { useState, type ReactNode } from 'react';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslate } from 'ra-core';
import { useReasonOf } from '#app/notify.ts';
import type { DialogProps } from '#app/parts/dialog.ts';
import { EmptyState } from '#app/parts/EmptyState.tsx';
import { LineTable } from '#app/parts/LineTable.tsx';
import { type modalWidths, ReadModal } from '#app/parts/Modal.tsx';
import { SnField } from '#app/parts/SnField.tsx';
import { useLookup } from '#app/parts/useLookup.ts';
import { besideLabelSx } from '#app/theme.ts';
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
  const given = rows[0]?.[asks.field];
  const [text, setText] = useState(typeof given === 'string' ? given : '');
  const [asked, setAsked] = useState(normaliseNo(text));
  const { data, error, isFetching } = useLookup(call, toInput(asked), { enabled: asked !== '', staleTime: 0 });
  const items = (data as { items: ItemOf<C>[] } | undefined)?.items;
  return (
    <ReadModal
      width={width}
      title={button.btnName}
      problem={error && asked !== '' ? reasonOf(error) : ''}
      onClose={onClose}
    >
      <Box
        component="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setAsked(normaliseNo(text));
          setText(normaliseNo(text));
        }}
        sx={{ display: 'flex', gap: 2, alignItems: 'flex-start' }}
      >
        <SnField label={asks.label} value={text} onChange={setText} />
        <Button
          type="submit"
          variant="contained"
          size="medium"
          loading={isFetching}
          disabled={text.trim() === ''}
          sx={{ ...besideLabelSx, flex: 'none' }}
        >
          {translate('serials.query.ask')}
        </Button>
      </Box>
      {items?.length === 0 && <EmptyState isSmall text={translate('serials.query.none')} />}
      {items && items.length > 0 && (
        <LineTable
          label={asked}
          columns={columns}
          rows={items.map((item, id) => ({ id, item }))}
          cell={(column, { item }) => column.cell(item)}
        />
      )}
    </ReadModal>
  );
}
