import { memo, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useTranslate } from 'ra-core';
import ChevronRight from '@mui/icons-material/ChevronRight';
import MoreVert from '@mui/icons-material/MoreVert';
import type { ShownColumn } from '#app/engine/list/columns.ts';
import type { Column, Labels, Row } from '#app/engine/wire.ts';
import { Cell } from '#app/fields/Cell.tsx';
import { EMPTY, isBlank, isEmptyValue, kindOf, textOf, urlsOf } from '#app/fields/format.ts';
import { Images } from '#app/fields/Images.tsx';

interface BodyRowProps {
  columns: readonly ShownColumn[];
  named: readonly Column[];
  /** By column; those without one are as wide as what stands in them. */
  styles?: readonly (React.CSSProperties | undefined)[];
  labels?: Labels;
  row: Row;
  /** Its place in the whole list, the heading counted. */
  index?: number;
  link?: string;
  /** The row that Tab reaches. */
  isActive: boolean;
  isSelected: boolean;
  isPreviewed: boolean;
  /** It can be selected, opened, acted upon. */
  isLive: boolean;
  picks: boolean;
  hasMenu: boolean;
  showsImages: boolean;
  /** What opens under rows of this table: empty where this one has nothing there. */
  opens?: string;
  isOpen: boolean;
  onOpened: (id: number) => void;
}

/**
 * Drawn anew only when it or its state changes, and it carries no handlers of its own: the table hears for all of them.
 * So moving through a page of 200 stays quick.
 */
export const BodyRow = memo(function BodyRow(props: BodyRowProps) {
  const { columns, named, styles, labels, row, index, link, isActive, isSelected, isPreviewed, isLive } = props;
  const { picks, hasMenu, showsImages, opens, isOpen, onOpened } = props;
  const translate = useTranslate();
  const name = rowName(named, row, labels);
  return (
    <tr
      className={`${isLive ? 'row' : ''} ${isPreviewed ? 'previewed' : ''}`.trim() || undefined}
      data-id={row.id}
      aria-selected={isLive ? isSelected : undefined}
      aria-rowindex={index}
      tabIndex={isLive ? (isActive ? 0 : -1) : undefined}
    >
      {picks && (
        <td className="pick">
          <input
            type="checkbox"
            tabIndex={isActive ? 0 : -1}
            checked={isSelected}
            onChange={ignoreChange}
            aria-label={translate('shell.list.selectRow', { row: name })}
          />
        </td>
      )}
      {opens !== undefined && (
        <td className="pick">
          {opens && <OpenButton label={`${opens} ${name}`} isOpen={isOpen} onClick={() => onOpened(row.id)} />}
        </td>
      )}
      {columns.map((column, i) => (
        <td
          key={column.name}
          className={`${i === 0 ? 'first' : ''} ${alignOf(column)} ${styles?.[i] ? 'sized' : ''} ${column.below ? 'two' : ''}`}
          style={styles?.[i]}
        >
          {i === 0 && link && !isEmptyValue(row[column.name]) ? (
            <Link to={link} className="code" tabIndex={isActive ? 0 : -1}>
              {name}
            </Link>
          ) : showsImages && kindOf(column) === 'images' ? (
            <Images urls={urlsOf(row[column.name])} label={column.label} size={28} />
          ) : (
            <Cell column={column} value={row[column.name]} labels={labels} currency={row['currency']} />
          )}
          {column.below && isBlank(column, row[column.name]) && !isBlank(column.below, row[column.below.name]) && EMPTY}
          {column.below && (
            <div className="below">
              <Cell column={column.below} value={row[column.below.name]} labels={labels} isBelow />
            </div>
          )}
        </td>
      ))}
      <RowEnd hasMenu={hasMenu}>
        {hasMenu && (
          <button
            type="button"
            className="kebab"
            tabIndex={-1}
            aria-haspopup="menu"
            aria-label={translate('lists.row.menu', { row: name })}
          >
            <MoreVert aria-hidden />
          </button>
        )}
      </RowEnd>
    </tr>
  );
});

/** At the right edge however far the columns reach: the row's menu, and the fade of what goes on. */
export const RowEnd = ({ hasMenu, children }: { hasMenu: boolean; children?: ReactNode }) => (
  <td className={hasMenu ? 'more' : 'more bare'} role={hasMenu ? undefined : 'presentation'}>
    {children}
  </td>
);

/** Shows and hides what stands under a row. */
export function OpenButton({ label, isOpen, onClick }: { label: string; isOpen: boolean; onClick: () => void }) {
  return (
    <button type="button" className="open" aria-expanded={isOpen} aria-label={label} onClick={onClick}>
      <ChevronRight aria-hidden />
    </button>
  );
}

/** The table hears the click. */
const ignoreChange = () => undefined;

/** What a row is called by. Rule: lists#naming. */
export function rowName(named: readonly Column[], row: Row, labels?: Labels): string {
  const texts = named.map((it) => textOf(it, row[it.name], labels)).filter(Boolean);
  return texts.join(' · ') || String(row.id);
}

export function alignOf(column: Column): string {
  if (column.align) return column.align === 'left' ? '' : column.align;
  return ['money', 'percent', 'number'].includes(kindOf(column)) ? 'right' : '';
}
