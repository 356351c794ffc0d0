import type { ReactNode } from 'react';
import { useTranslate } from 'ra-core';
import { TableFrame } from '#app/engine/TableFrame.tsx';

interface Props {
  label?: string;
  heads: readonly [ReactNode, ReactNode];
  /** Each field with what the one and the other side have. */
  rows: readonly { name: string; label: string; cells: readonly [ReactNode, ReactNode] }[];
}

/** Two versions of a record beside each other, field by field. */
export function FieldsCompared({ label, heads, rows }: Props) {
  const translate = useTranslate();
  return (
    <TableFrame sx={{ '& td': { whiteSpace: 'normal', overflowWrap: 'anywhere' } }}>
      <table aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{translate('shell.form.stale.field')}</th>
            <th scope="col">{heads[0]}</th>
            <th scope="col">{heads[1]}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((it) => (
            <tr key={it.name}>
              <td>{it.label}</td>
              <td>{it.cells[0]}</td>
              <td>{it.cells[1]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}
