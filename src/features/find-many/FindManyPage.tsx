import { useMemo, useState } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useRefreshJobs } from '#app/jobs/useJobs.ts';
import { useNotices, useProblemOf } from '#app/notify.ts';
import { Moment } from '#app/parts/cells.tsx';
import { FormFrame } from '#app/parts/FormFrame.tsx';
import { LineTable } from '#app/parts/LineTable.tsx';
import { useLabelOf, useOptions } from '#app/parts/optionLabels.ts';
import type { PageProps } from '#app/parts/page.ts';
import { useNotifyRefusal } from '#app/parts/scan/useRefusal.ts';
import { useWedge } from '#app/parts/scan/useWedge.ts';
import { BillLink, SnLink } from '#app/parts/SnLink.tsx';
import { TablePages } from '#app/parts/TablePages.tsx';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { send } from '#app/send.ts';
import type { DataOf } from '#domain/call.ts';
import type { Problem } from '#domain/refusal.ts';
import { exportMany, findMany } from './contract.ts';
import { readPasted, validateMany } from './rules.ts';

type Found = DataOf<typeof findMany>['items'][number];

const PAGE = 100;
/** What is scanned goes below what stands there, wherever the caret is. */
const noField = { current: null };

/** Where each SN of a pasted column is, as one table. Rule: units#many. */
export default function FindManyPage({ menuNo }: PageProps) {
  const translate = useTranslate();
  const problemOf = useProblemOf();
  const notices = useNotices();
  const refreshJobs = useRefreshJobs();
  const { wordsOf } = useProblemWords();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');
  const [items, setItems] = useState<readonly Found[] | null>(null);
  const [isAsking, setAsking] = useState(false);
  const file = useSubmit(exportMany);
  const { sns, repeated } = useMemo(() => readPasted(text), [text]);

  useWedge(noField, (sn) => setText((it) => `${it.trimEnd()}\n${sn}\n`.trimStart()), useNotifyRefusal());
  const isFit = (problems: readonly Problem[]) => {
    setProblem(problems[0] ? wordsOf(problems[0]) : '');
    return problems.length === 0;
  };
  const ask = async () => {
    if (!isFit(validateMany(sns))) return;
    setAsking(true);
    try {
      setItems((await send(findMany, { sns })).items);
    } catch (error) {
      setProblem(problemOf(error));
    }
    setAsking(false);
  };
  const exportAll = async () => {
    if (!isFit(validateMany(sns)) || !(await file.submit({ sns }))) return;
    refreshJobs();
    notices.success(translate('serials.many.exporting'));
  };

  return (
    <FormFrame
      menuNo={menuNo}
      title={translate('serials.many.title')}
      wide
      primary={{ label: translate('serials.many.ask'), disabled: isAsking, press: () => void ask() }}
      more={
        items && (
          <Button size="medium" loading={file.sending} onClick={() => void exportAll()}>
            {translate('serials.many.export')}
          </Button>
        )
      }
      problem={problem || file.problem}
    >
      <Box sx={{ maxWidth: 640 }}>
        <TextField
          label={translate('serials.many.paste')}
          placeholder={translate('serials.many.hint')}
          value={text}
          onChange={(event) => setText(event.target.value)}
          autoFocus
          fullWidth
          multiline
          minRows={4}
          maxRows={8}
          slotProps={{ htmlInput: { 'data-field': 'sns', spellCheck: false, autoComplete: 'off' } }}
        />
        <Box role="status" sx={{ mt: 1, minHeight: 20, fontSize: 13, color: 'text.secondary' }}>
          {sns.length > 0 && translate('serials.many.pasted', { smart_count: sns.length })}
          {repeated > 0 && ` · ${translate('serials.many.repeated', { smart_count: repeated })}`}
        </Box>
      </Box>
      {items && <Results key={items[0]?.asked ?? ''} items={items} />}
    </FormFrame>
  );
}

const ALL = 'all';

/** The table, all of it or what is at one kind of place. */
function Results({ items }: { items: readonly Found[] }) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const places = useOptions('snPlaces');
  const [place, setPlace] = useState(ALL);
  const [page, setPage] = useState(0);
  const shown = place === ALL ? items : items.filter((it) => it.place === place);
  const countOf = (value: string) => items.filter((it) => it.place === value).length;
  const choices = [{ value: ALL, label: translate('serials.many.all') }, ...places];
  const columns = ['asked', 'place', 'site', 'bill', 'item', 'since'].map((name) => ({
    name,
    label: translate(`serials.many.${name}`),
  }));
  const cell = ({ name }: { name: string }, it: Found) => {
    switch (name) {
      case 'asked':
        return (
          <>
            <SnLink sn={it.asked} />
            {it.now && <Below text={translate('serials.many.now', { sn: it.now })} />}
          </>
        );
      case 'place':
        return (
          <>
            {it.node ? labelOf('nodes', it.node) : labelOf('snPlaces', it.place)}
            {it.holdKind && <Below text={labelOf('holdKinds', it.holdKind)} />}
          </>
        );
      case 'site':
        return (
          it.siteName && (
            <>
              {it.siteName}
              {it.subinventoryCode && <Below text={labelOf('subinventory', it.subinventoryCode)} />}
            </>
          )
        );
      case 'bill':
        return (
          it.mtbId && (
            <>
              <BillLink menuNo="rmaMaintainBillList" id={it.mtbId} />
              {it.customer && <Below text={it.customer} />}
            </>
          )
        );
      case 'item':
        return (
          it.salesCode && (
            <>
              {it.salesCode}
              {it.itemName && <Below text={it.itemName} />}
            </>
          )
        );
      default:
        return it.since !== null && <Moment at={it.since} />;
    }
  };
  return (
    <Box component="section" aria-label={translate('serials.many.results')} sx={{ minWidth: 0 }}>
      <ToggleButtonGroup
        exclusive
        size="small"
        aria-label={translate('serials.many.place')}
        value={place}
        onChange={(_, to: string | null) => {
          if (to === null) return;
          setPlace(to);
          setPage(0);
        }}
        sx={{ mb: 2, flexWrap: 'wrap' }}
      >
        {choices.map(({ value, label }) => {
          const count = value === ALL ? items.length : countOf(value);
          return (
            <ToggleButton key={value} value={value} disabled={count === 0} sx={{ textTransform: 'none', px: 3 }}>
              {label} {count}
            </ToggleButton>
          );
        })}
      </ToggleButtonGroup>
      <LineTable
        label={translate('serials.many.results')}
        columns={columns}
        rows={shown.slice(page * PAGE, (page + 1) * PAGE).map((it, id) => ({ ...it, id }))}
        cell={cell}
      />
      {shown.length > PAGE && <TablePages count={shown.length} page={page} rowsPerPage={PAGE} onPage={setPage} />}
    </Box>
  );
}

const Below = ({ text }: { text: string }) => <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{text}</Box>;
