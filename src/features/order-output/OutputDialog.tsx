import { useState } from 'react';
import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Skeleton from '@mui/material/Skeleton';
import TextField from '@mui/material/TextField';
import type { WorkOrderModule } from '#domain/wafer.ts';
import { groupedCount } from '#app/fields/format.ts';
import { useReasonOf } from '#app/notify.ts';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { EmptyState } from '#app/parts/EmptyState.tsx';
import { LotTable } from '#app/parts/LotTable.tsx';
import { NumberField } from '#app/parts/NumberField.tsx';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import { RemarkField } from '#app/parts/RemarkField.tsx';
import { TablePages } from '#app/parts/TablePages.tsx';
import { useDialogSubmit } from '#app/parts/useDialogSubmit.ts';
import { useLookup } from '#app/parts/useLookup.ts';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { useSeen } from '#app/parts/useSeen.tsx';
import { isRefusal } from '#app/send.ts';
import { codeSx } from '#app/theme.ts';
import type { Problem } from '#domain/refusal.ts';
import { recordOutput, toRecordOutput } from './contract.ts';
import { type Entered, LOSS, reportOf, type Sums, sumsOf } from './rules.entered.ts';
import { type Position, validateReport } from './rules.ts';

const PAGE = 50;

/** What the supplier reports of an order: good units and loss of each wafer, line or group. Rule: wafer-bank#output. */
export default function OutputDialog({ module, button, rows, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  const { wordsOf } = useProblemWords();
  const order = module as WorkOrderModule;
  const id = String(rows[0]?.id ?? '');
  const { data, error, refetch } = useLookup(toRecordOutput(order), { id }, { staleTime: 0 });
  const shown = data && rows[0] && { ...rows[0], version: data.version };
  const { version, failed, notice } = useSeen(module, shown, () => void refetch());
  const [earlier, setEarlier] = useState<Earlier | null>(null);
  const [isAgain, setIsAgain] = useState(false);
  const askAgain = async (refused: unknown) => {
    if (!isRefusal(refused, 'rowThere')) return failed(refused);
    const { repeats } = refused.data as { repeats: Repeats };
    setEarlier({ repeats, told: refused.problems.map((it) => it.msg) });
    setIsAgain(false);
    return true;
  };
  const { submit, sending, problem } = useDialogSubmit(recordOutput(order), { button, onDone, onClose }, askAgain);
  const [entered, setEntered] = useState<Entered>(new Map());
  const [dateCode, setDateCode] = useState('');
  const [remark, setRemark] = useState('');
  const [found, setFound] = useState<readonly Problem[]>([]);
  const words = (name: string, args?: object) => translate(`bills.output.${name}`, args);
  const positions = data?.positions.filter((it) => it.leftQty > 0) ?? [];
  const bins = data?.bins ?? [];

  const press = () => {
    const repeats = new Map(isAgain ? earlier?.repeats.map((it) => [it.position, it.repeat]) : []);
    const reported = reportOf(entered, bins).map((it) => ({ ...it, repeat: repeats.get(it.position) }));
    const all = data?.positions ?? [];
    // Of what was booked before the server says when and by whom.
    const booked = new Set(all.filter((it) => it.outputQty + it.lossQty > 0).map((it) => it.position));
    const isAsked = ({ key, field }: Problem) =>
      key === 'moreThanInProcess' && reported.some((it, i) => field === `positions.${i}` && booked.has(it.position));
    const problems = validateReport(all, reported, bins).filter((it) => !isAsked(it));
    setFound(problems);
    if (problems.length > 0) return;
    void submit({
      ...{ id, version, positions: reported },
      ...{ dateCode: dateCode.trim() || null, remark: remark.trim() || null },
    });
  };
  const enter = (position: string, name: string, value: string) => {
    setEntered(new Map(entered).set(position, { ...entered.get(position), [name]: value }));
    setFound([]);
    setEarlier(null);
  };
  const [first] = found;
  return (
    <ActionModal
      width="wafers"
      title={`${button.btnName} · ${String(rows[0]?.['workOrderNo'] ?? '')}`}
      action={button.btnName}
      sending={sending}
      disabled={positions.length === 0 || (earlier !== null && !isAgain)}
      problem={first ? wordsOf(first) : error ? reasonOf(error) : problem}
      onSubmit={press}
      onClose={onClose}
    >
      {notice}
      {earlier && <Again told={earlier.told} isAgain={isAgain} onAgain={setIsAgain} />}
      {!data && !error && <Skeleton variant="rounded" height={160} />}
      {data && positions.length === 0 && <EmptyState isSmall text={words('nothing')} />}
      {positions.length > 0 && (
        <>
          {bins.length < 2 && (
            <Button
              variant="outlined"
              size="small"
              sx={{ alignSelf: 'flex-start' }}
              onClick={() => {
                setEntered(new Map(positions.map((it) => [it.position, { [bins[0] ?? '']: String(it.leftQty) }])));
                setEarlier(null);
              }}
            >
              {words('allGood')}
            </Button>
          )}
          <Positions module={order} positions={positions} bins={bins} entered={entered} onEnter={enter} />
          <Totals sums={sumsOf(positions, entered)} />
        </>
      )}
      <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: '1fr', sm: '160px 1fr' }, alignItems: 'start' }}>
        <TextField
          label={words('dateCode')}
          value={dateCode}
          onChange={(it) => {
            setDateCode(it.target.value);
            setEarlier(null);
          }}
          slotProps={{ htmlInput: { maxLength: 50 } }}
        />
        <RemarkField minRows={1} label={translate('stations.field.remark')} value={remark} onChange={setRemark} />
      </Box>
    </ActionModal>
  );
}

/** As which repeats of what was booked before positions could be booked. */
type Repeats = readonly { position: string; repeat: number }[];
interface Earlier {
  repeats: Repeats;
  told: readonly string[];
}

interface AgainProps {
  told: readonly string[];
  isAgain: boolean;
  onAgain: (isAgain: boolean) => void;
}

/** What was booked before, when and by whom, and whether as much came once more. Rule: wafer-bank#once. */
function Again({ told, isAgain, onAgain }: AgainProps) {
  const translate = useTranslate();
  return (
    <Alert severity="warning">
      {told.map((it) => (
        <div key={it}>{it}</div>
      ))}
      <FormControlLabel
        control={<Checkbox size="small" checked={isAgain} onChange={(it) => onAgain(it.target.checked)} />}
        label={translate('bills.output.again')}
      />
    </Alert>
  );
}

interface PositionsProps {
  module: WorkOrderModule;
  positions: readonly Position[];
  bins: readonly string[];
  entered: Entered;
  onEnter: (position: string, name: string, value: string) => void;
}

/** A row for each wafer, line or group that still has something in process. */
function Positions({ module, positions, bins, entered, onEnter }: PositionsProps) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const [page, setPage] = useState(0);
  const words = (name: string) => translate(`bills.output.${name}`);
  const isFt = module === 'icopFtWorkOrder';
  const hasPieces = module !== 'icopAssemblyWorkOrder';
  const pieceHead = translate(isFt ? 'bills.order.group' : 'bills.order.waferIds');
  // Where the bank does not count in bins, good dies are of the wafer itself.
  const columns =
    bins.length < 2
      ? [{ name: bins[0] ?? '', label: words('good') }]
      : bins.map((it) => ({ name: it, label: labelOf('lotBins', it) }));
  return (
    <div>
      <LotTable
        isDense={bins.length > 1}
        numbers={[hasPieces ? 2 : 1]}
        label={words('positions')}
        heads={[
          translate('bills.order.lot'),
          ...(hasPieces ? [pieceHead] : []),
          words('left'),
          ...columns.map((it) => it.label),
          words('loss'),
        ]}
      >
        {positions.slice(page * PAGE, (page + 1) * PAGE).map((it) => {
          const name = [it.waferLotId, it.piece].filter(Boolean).join(' ');
          const values = entered.get(it.position) ?? {};
          return (
            <tr key={it.position}>
              <td>
                <Box component="span" sx={codeSx}>
                  {it.waferLotId}
                </Box>
              </td>
              {hasPieces && <td>{it.piece}</td>}
              <td className="number">{groupedCount(it.leftQty)}</td>
              {[...columns, { name: LOSS, label: words('loss') }].map((column) => (
                <td key={column.name}>
                  <NumberField
                    place="unseen"
                    width={bins.length < 2 ? 112 : 60}
                    label={`${column.label} ${name}`}
                    value={values[column.name] ?? ''}
                    onChange={(value) => onEnter(it.position, column.name, value)}
                  />
                </td>
              ))}
            </tr>
          );
        })}
      </LotTable>
      {positions.length > PAGE && (
        <TablePages count={positions.length} page={page} rowsPerPage={PAGE} onPage={setPage} />
      )}
    </div>
  );
}

/** What is told so far, and what stays in process. */
function Totals({ sums }: { sums: Sums }) {
  const translate = useTranslate();
  return (
    <Box role="status" sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}>
      {translate(
        'bills.output.sums',
        Object.fromEntries(Object.entries(sums).map(([name, it]) => [name, groupedCount(Number(it))])),
      )}
    </Box>
  );
}
