import { lazy, Suspense, type ReactNode } from 'react';
import { useTranslate } from 'ra-core';
import { Link } from 'react-router-dom';
import type { Column, Labels } from '#app/engine/wire.ts';
import { copyText } from '#app/fields/copyText.ts';
import { isBlank, kindOf, momentOf, shortMomentOf, textOf, urlsOf } from '#app/fields/format.ts';
import { toneOf } from '#app/fields/tones.ts';
import { isBillNumber, useNumberAddress } from '#app/parts/billPage.ts';
import { addressOfSn, useSeesSns } from '#app/parts/snPage.ts';
import { holdsSn, isSn, NO_PART } from '#domain/sn.ts';

const Age = lazy(() => import('#app/fields/Age.tsx'));

interface CellProps {
  column: Column;
  value: unknown;
  labels?: Labels;
  /** Of the row's amounts, where it names one. */
  currency?: unknown;
  /** Under another value, whose chip is the only one. */
  isBelow?: boolean;
}

/** A value in a table. Plain elements that the table styles: a page has thousands of them. */
export function Cell({ column, value, labels, currency, isBelow = false }: CellProps) {
  const translate = useTranslate();
  if (isBlank(column, value)) return null;
  const text = textOf(column, value, labels, currency);
  switch (kindOf(column)) {
    case 'moment':
      return <span title={momentOf(value)}>{shortMomentOf(value)}</span>;
    case 'age':
      return (
        <Suspense fallback={null}>
          <Age since={value} />
        </Suspense>
      );
    case 'images':
      return <span>{translate('shell.list.photos', { smart_count: urlsOf(value).length })}</span>;
    case 'code':
      return text === String(value) ? <CodeCell field={column.name} text={text} isInRow /> : <span>{text}</span>;
    case 'choice': {
      const tone = isBelow ? undefined : toneOf(column.options, value);
      return tone ? <span className={`chip ${tone}`}>{text}</span> : <span title={text}>{text}</span>;
    }
    case 'text':
    case 'list':
    case 'roles':
      return (
        <span className="text" title={text}>
          {text}
        </span>
      );
    default:
      return <span>{text}</span>;
  }
}

interface CodeProps {
  text: string;
  /** The address of the page on which it stands: a link to it leads nowhere. */
  own?: string | undefined;
  /** In a row of a table Tab passes its link by, as it does all cells. */
  isInRow?: boolean;
}

/** A code; what it names is one step away, for those who may open it. */
export function CodeCell({ field, text, isInRow, own }: CodeProps & { field: string }) {
  if (isBillNumber(text)) return <BillCode text={text} isInRow={isInRow} own={own} />;
  return holdsSn(field) ? <SnCode text={text} isInRow={isInRow} /> : <Code text={text} />;
}

function SnCode({ text, isInRow }: CodeProps) {
  const leads = useSeesSns() && isSn(text) && text !== NO_PART;
  return <LeadingCode text={text} to={leads ? addressOfSn(text) : undefined} isInRow={isInRow} />;
}

function BillCode({ text, isInRow, own }: CodeProps) {
  const to = useNumberAddress(text);
  return <LeadingCode text={text} to={to === own ? undefined : to} isInRow={isInRow} />;
}

function LeadingCode({ text, to, isInRow = false }: CodeProps & { to: string | undefined }) {
  if (to === undefined) return <Code text={text} />;
  return (
    <Code text={text}>
      <Link to={to} tabIndex={isInRow ? -1 : undefined}>
        {text}
      </Link>
    </Code>
  );
}

/** Never broken over two lines, and easily copied. */
function Code({ text, children = text }: { text: string; children?: ReactNode }) {
  const translate = useTranslate();
  return (
    <span className="code">
      {children}
      <button
        type="button"
        className="copy"
        tabIndex={-1}
        aria-label={`${translate('shell.list.copy')} ${text}`}
        title={translate('shell.list.copy')}
        onClick={(event) => {
          event.stopPropagation();
          event.preventDefault();
          const said = {
            done: translate('shell.list.copied', { text }),
            failed: translate('shell.list.notCopied', { text }),
          };
          void copyText(text, said, event.currentTarget.parentElement);
        }}
      >
        <svg viewBox="0 0 24 24" aria-hidden>
          <path d="M16 2H5v14h2V4h9V2Zm4 4H9v16h11V6Zm-2 14h-7V8h7v12Z" />
        </svg>
      </button>
    </span>
  );
}
