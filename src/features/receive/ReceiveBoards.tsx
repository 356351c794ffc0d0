import { type ReactNode, useEffect, useRef, useState } from 'react';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import TextField from '@mui/material/TextField';
import Add from '@mui/icons-material/Add';
import DeleteOutline from '@mui/icons-material/DeleteOutline';
import { useTranslate } from 'ra-core';
import { useNotices } from '#app/notify.ts';
import { Panel } from '#app/parts/Facts.tsx';
import { FormFrame } from '#app/parts/FormFrame.tsx';
import { NumberField } from '#app/parts/NumberField.tsx';
import type { TabsProps } from '#app/parts/StationTabs.tsx';
import { isPlainEnter } from '#app/parts/enter.ts';
import { useLookup } from '#app/parts/useLookup.ts';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { useLabelOutput } from '#app/parts/labels/LabelOutput.tsx';
import { useStationKiosk } from '#app/shell/useStationKiosk.ts';
import { besideLabelSx, codeSx } from '#app/theme.ts';
import { Flag, GoodsType, LabelPrintKind } from '#domain/enums.ts';
import { LabelKind, sendReceivedLabels } from '#domain/labelPrint.ts';
import { queryBySalesCode } from '#domain/lookups.ts';
import { countIn } from '#domain/numberText.ts';
import type { Problem } from '#domain/refusal.ts';
import { normaliseNo } from '#domain/sn.ts';
import { receive } from './contract.ts';
import type { Bill } from './receiveLines.tsx';
import type { useReceipt } from './useReceipt.ts';
import { lineFor, validateBoards } from './rules.ts';

export interface Boards {
  salesCode: string;
  repairable: number;
  unrepairable: number;
}
const empty = { salesCode: '', repairable: '', unrepairable: '' };

interface Props {
  menuNo: string;
  bill: Bill | null | undefined;
  /** Who and where, which every call of a receipt says. */
  extras: ReturnType<typeof useReceipt>['extras'];
  tabs: TabsProps;
  before: ReactNode;
  facts: ReactNode;
  more: ReactNode;
  lines: readonly Boards[];
  onChange: (lines: readonly Boards[]) => void;
  onReceived: () => void;
}

/**
 * Boards without SNs come in by their number; those that can be repaired get SNs for their labels. Rule: events#e04,
 * receiving#board-sns.
 */
export function ReceiveBoards(props: Props) {
  const { menuNo, bill, extras, tabs, before, facts, more, lines, onChange: setLines, onReceived } = props;
  const translate = useTranslate();
  const kiosk = useStationKiosk();
  const notices = useNotices();
  const { byField } = useProblemWords();
  const { submit, sending, problem } = useSubmit(receive);
  const [form, setForm] = useState(empty);
  const [labels, setLabels] = useState<readonly string[]>([]);
  const [isPrinted, setPrinted] = useState(false);
  const { print, output } = useLabelOutput(sendReceivedLabels, LabelPrintKind.New, LabelKind.Veneer, null);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [message, setMessage] = useState('');
  const code = useRef<HTMLInputElement>(null);
  const repairable = useRef<HTMLInputElement>(null);
  const unrepairable = useRef<HTMLInputElement>(null);
  // A loaded bill has nothing else to be filled in first.
  const isLoaded = Boolean(bill);
  useEffect(() => {
    if (isLoaded) code.current?.focus();
  }, [isLoaded]);
  const salesCode = normaliseNo(form.salesCode);
  const { data } = useLookup(queryBySalesCode, { salesCode });
  const choices = (data?.items ?? []).filter((it) => it.type === GoodsType.Board);
  const wrong = byField(problems);
  const total = lines.reduce((sum, it) => sum + it.repairable + it.unrepairable, 0);

  const change = (part: Partial<typeof empty>) => {
    setForm({ ...form, ...part });
    setProblems([]);
    setMessage('');
  };
  const add = () => {
    if (!bill) return setMessage(translate('stations.shipNoMsg'));
    const line = { salesCode, repairable: countIn(form.repairable), unrepairable: countIn(form.unrepairable) };
    const found = validateBoards([{ ...line, field: 'new' }]);
    setProblems(found);
    if (found.length > 0) return setMessage(translate('stations.emptyMsg'));
    setMessage('');
    setLines([...lines, line]);
    setForm(empty);
    code.current?.focus();
  };
  const press = async () => {
    if (!bill) return setMessage(translate('stations.shipNoMsg'));
    if (lines.length === 0) return setMessage(translate('stations.emptyMsg'));
    const declared = bill.rmaMaintainBillLineList;
    const rmaReceiveBillLineRequestList = lines.map((it) => {
      const known = { type: GoodsType.Board, salesCode: it.salesCode, slaveCodes: [] };
      const count = it.repairable + it.unrepairable;
      return {
        mtblId: lineFor(known, declared)?.mtblId ?? '',
        type: GoodsType.Board,
        salesCode: it.salesCode,
        count,
        receiveCount: count,
        repairableCount: it.repairable,
        unRepairableCount: it.unrepairable,
        snControl: Flag.No,
      };
    });
    const done = await submit({ mtbId: bill.mtbId, rmaReceiveBillLineRequestList, ...extras });
    if (!done) return;
    setLines([]);
    setForm(empty);
    setLabels(done.snList);
    setPrinted(false);
    notices.success(translate('stations.boards.told', { smart_count: done.receivedCount }));
    if (done.warning) notices.warning(done.warning, { duration: 30_000 });
    onReceived();
  };

  const count = (name: 'repairable' | 'unrepairable') => (
    <NumberField
      inputRef={name === 'repairable' ? repairable : unrepairable}
      label={translate(`stations.boards.${name}`)}
      value={form[name]}
      problem={wrong['new.repairableCount'] && (name === 'repairable' ? wrong['new.repairableCount'] : ' ')}
      onChange={(it) => change({ [name]: it })}
      onKeyDown={(event) => {
        if (!isPlainEnter(event)) return;
        event.preventDefault();
        if (name === 'repairable') unrepairable.current?.focus();
        else add();
      }}
    />
  );
  return (
    <FormFrame
      wide
      menuNo={menuNo}
      title={translate('stations.receive.title')}
      problem={message || problem}
      primary={{
        label: translate('stations.boards.do', { smart_count: total }),
        press: () => void press(),
        disabled: sending,
      }}
      more={more}
      tabs={tabs}
      kiosk={kiosk}
      scanField={code}
      before={before}
      aside={facts}
    >
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          alignItems: 'start',
          gridTemplateColumns: { xs: '1fr 1fr', md: 'minmax(200px, 2fr) 140px 140px auto' },
        }}
      >
        <TextField
          required
          inputRef={code}
          label={translate('stations.boards.salesCode')}
          value={form.salesCode}
          error={wrong['new.salesCode'] !== undefined}
          helperText={wrong['new.salesCode'] ?? choices.find((it) => it.salesCode === salesCode)?.name ?? ' '}
          onChange={(it) => change({ salesCode: it.target.value.toUpperCase() })}
          onKeyDown={(event) => {
            if (!isPlainEnter(event)) return;
            event.preventDefault();
            repairable.current?.focus();
          }}
          slotProps={{ htmlInput: { list: 'board-codes', autoComplete: 'off', maxLength: 64 } }}
          sx={{ gridColumn: { xs: '1 / -1', md: 'auto' } }}
        />
        <datalist id="board-codes">
          {choices.map((it) => (
            <option key={it.salesCode} value={it.salesCode}>
              {it.name}
            </option>
          ))}
        </datalist>
        {count('repairable')}
        {count('unrepairable')}
        <Button
          variant="outlined"
          size="medium"
          startIcon={<Add />}
          onClick={add}
          sx={{ justifySelf: 'start', whiteSpace: 'nowrap', mt: { md: besideLabelSx.mt } }}
        >
          {translate('stations.boards.add')}
        </Button>
      </Box>
      <BoardLines lines={lines} onChange={setLines} />
      {labels.length > 0 && (
        <Panel title={translate('stations.boards.labels')}>
          <Button
            variant="outlined"
            size="medium"
            // One that is printed again says so, by the page for that.
            disabled={isPrinted}
            onClick={() => {
              setPrinted(true);
              print({ snList: labels, modelCode: '', kind: LabelKind.Veneer });
            }}
            sx={{ mb: 2 }}
          >
            {translate('stations.boards.print', { smart_count: labels.length })}
          </Button>
          {output}
          <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', columnWidth: 200, ...codeSx }}>
            {labels.map((sn) => (
              <li key={sn}>{sn}</li>
            ))}
          </Box>
        </Panel>
      )}
    </FormFrame>
  );
}

function BoardLines({ lines, onChange }: { lines: readonly Boards[]; onChange: (lines: readonly Boards[]) => void }) {
  const translate = useTranslate();
  const columns = ['salesCode', 'repairable', 'unrepairable'] as const;
  return (
    <Panel title={translate('stations.boards.lines')}>
      {lines.length === 0 ? (
        <Box sx={{ color: 'text.secondary' }}>{translate('stations.boards.none')}</Box>
      ) : (
        <Table size="small" aria-label={translate('stations.boards.lines')}>
          <TableHead>
            <TableRow>
              {columns.map((it) => (
                <TableCell key={it} align={it === 'salesCode' ? 'left' : 'right'}>
                  {translate(`stations.boards.${it}`)}
                </TableCell>
              ))}
              <TableCell sx={{ width: 44, p: 0 }} />
            </TableRow>
          </TableHead>
          <TableBody>
            {lines.map((line, i) => (
              <TableRow key={`${i}-${line.salesCode}`} sx={{ height: 36 }}>
                <TableCell sx={codeSx}>{line.salesCode}</TableCell>
                <TableCell align="right">{line.repairable}</TableCell>
                <TableCell align="right">{line.unrepairable}</TableCell>
                <TableCell sx={{ p: 0 }}>
                  <IconButton
                    size="small"
                    aria-label={translate('stations.boards.removeLine', { number: i + 1 })}
                    onClick={() => onChange(lines.filter((_, at) => at !== i))}
                  >
                    <DeleteOutline fontSize="small" />
                  </IconButton>
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      )}
    </Panel>
  );
}
