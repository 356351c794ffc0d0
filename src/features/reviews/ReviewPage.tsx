import { useRef, useState } from 'react';
import { Navigate } from 'react-router-dom';
import { useRefresh, useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { styled } from '@mui/material/styles';
import { factsOf, statusOf } from '#app/engine/factsOf.tsx';
import { listsOf } from '#app/engine/Lines.tsx';
import { valueStyles } from '#app/engine/TableFrame.tsx';
import { moduleOf } from '#app/engine/module.ts';
import { nameOf, useDetail } from '#app/engine/useDetail.ts';
import { useRecordActions } from '#app/engine/useRecordActions.tsx';
import type { Detail, Row } from '#app/engine/wire.ts';
import { momentOf, textOf, urlsOf } from '#app/fields/format.ts';
import { Images } from '#app/fields/Images.tsx';
import { useNotices, useReasonOf } from '#app/notify.ts';
import { DetailFooter, DetailLayout } from '#app/parts/DetailLayout.tsx';
import { FactGrid, Panel } from '#app/parts/Facts.tsx';
import type { PageProps } from '#app/parts/page.ts';
import { PageHead } from '#app/parts/PageHead.tsx';
import { ReadFailure } from '#app/parts/ReadFailure.tsx';
import { RefusedNotice } from '#app/parts/RefusedNotice.tsx';
import { QueueNext } from '#app/parts/QueueNext.tsx';
import { useLookup } from '#app/parts/useLookup.ts';
import { useQueuePlace } from '#app/parts/useQueuePlace.ts';
import { useSeen } from '#app/parts/useSeen.tsx';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { isRefusal } from '#app/send.ts';
import { useUser } from '#app/session.ts';
import { ErrorPage } from '#app/shell/ErrorPage.tsx';
import { keysAsShown, shortcuts } from '#app/shell/shortcuts.ts';
import { useShortcuts } from '#app/shell/useShortcuts.ts';
import { useTabName } from '#app/shell/useTabName.ts';
import { besideLabelSx, tabularSx } from '#app/theme.ts';
import type { OtherCorrection } from '#domain/corrections.ts';
import { REMARK_LENGTH } from '#domain/enums.ts';
import { ReviewResult, reviewStep, type ReviewAction, type ReviewedModule } from '#domain/review.ts';
import { amountsOf, paperFields, reviewTrail, trailFields } from '#domain/reviewTrail.ts';
import { moneyText } from '#domain/money.ts';
import { isUnseen } from '#domain/signs.ts';
import { earlierPrice, otherCorrectionsOf, reviewCall, reviewWords } from './contract.ts';
import { Corrections } from './Corrections.tsx';
import { PROJECT, ProjectSums } from './ProjectSums.tsx';
import { ReviewLines } from './ReviewLines.tsx';
import { priceChange } from './rules.ts';
import { Trail } from './Trail.tsx';

/**
 * A money bill: what it comes to, who has said what, its lines and papers; and, opened for a review, the decision. Opened
 * to read it has none, but offers what its row does. Rule: money#reviews.
 */
export function ReviewPage({ menuNo, id = '', action }: PageProps & { action?: ReviewAction }) {
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  const { data, error, refetch } = useDetail(menuNo, id);
  const module = moduleOf(menuNo) as ReviewedModule;
  const me = useUser()?.userId;
  const { data: words } = useLookup(reviewWords(module), { id: Number(id) }, { staleTime: 0 });
  const isCorrection = module === 'rmaCorrectionBill';
  const { data: elsewhere } = useLookup(
    otherCorrectionsOf,
    { id: Number(id) },
    { enabled: isCorrection, staleTime: 0 },
  );
  const { actions, dialog } = useRecordActions(menuNo, action ? undefined : data, () => void refetch());
  useTabName(nameOf(data));
  if (isRefusal(error, 'noRight')) return <Navigate to="/401" replace />;
  if (isRefusal(error, 'notFound')) return <ErrorPage code="404" />;
  if (!data) {
    return (
      <DetailLayout isReading={!error} head={<PageHead isReading={!error} menuNo={menuNo} />}>
        {error && (
          <ReadFailure
            text={translate('shell.notice.failed', { action: translate('shell.detail.failed') })}
            reason={reasonOf(error)}
            onAgain={() => void refetch()}
          />
        )}
      </DetailLayout>
    );
  }

  // One bill's review may have a name of its own: a repair fee is audited after it, a price is not.
  const nameOfStep = (it: string) =>
    translate(`bills.review.trail.${module}.${it}`, { _: translate(`bills.review.trail.${it}`) });
  const step = action && reviewStep(module, action);
  const waits = step !== undefined && data['billStatus'] === step.from;
  const isOwn = step?.notBy.some((it) => data[it] === me) === true;
  const changedAt = words?.changedAt ?? null;
  const isMine = waits && !isOwn && changedAt === null;
  const papers = paperFields[module].flatMap((name) => {
    const label = data.view.fields.find((it) => it.name === name)?.label ?? '';
    const urls = urlsOf(data[name]);
    return urls.length > 0 ? [{ name, label, urls }] : [];
  });
  const [lines, ...others] = listsOf(data);
  const corrections = others.find((it) => it.name === 'rmaCorrectionBillList' && it.rows.length > 0);
  // Whoever shapes the lists may have taken the projects out of the lines.
  const hasSums = module === 'rmaRepairFeeBill' && lines?.view.columns.some((it) => it.name === PROJECT) === true;
  const hasAside = hasSums || papers.length > 0;
  return (
    <DetailLayout
      head={<PageHead status={statusOf(data.view, data)} menuNo={menuNo} actions={actions} />}
      footer={
        action && (
          <Decision
            key={id}
            menuNo={menuNo}
            bill={data}
            reload={() => void refetch()}
            module={module}
            action={action}
            name={nameOfStep(action)}
            blocked={waits ? !isMine && (isOwn ? 'yours' : 'changed') : 'notWaiting'}
            changedAt={changedAt}
          />
        )
      }
    >
      <Summary module={module} data={data} />
      <Box sx={panelSx}>
        <Trail steps={reviewTrail(module, data)} words={words} isMine={isMine} nameOf={nameOfStep} />
      </Box>
      {corrections && (
        <Corrections
          view={corrections.view}
          rows={corrections.rows}
          currency={textOrNull(data['currency'])}
          settled={String(data[amountsOf[module].total] ?? 0)}
          corrected={String(data['correctionAmount'] ?? 0)}
        />
      )}
      <Box
        sx={{
          display: 'grid',
          gap: 4,
          alignItems: 'start',
          // Sums and papers stand beside the lines as soon as both can be read.
          gridTemplateColumns: {
            xs: 'minmax(0, 1fr)',
            lg: lines && hasAside ? besideOf(hasSums) : undefined,
          },
        }}
      >
        {lines && (
          <ReviewLines
            module={lines.name.replace(/List$/, '')}
            view={lines.view}
            rows={lines.rows}
            currency={textOrNull(data['currency'])}
            others={elsewhere?.others ?? none}
            leavesOut={[
              data.view.fields[0]?.name ?? '',
              'currency',
              'isPriced',
              'isKnown',
              ...emptyOf(module, lines.rows),
            ]}
          />
        )}
        {hasAside && (
          <Box sx={{ display: 'grid', gap: 4, minWidth: 0 }}>
            {hasSums && <ProjectSums id={data.id} view={lines.view} currency={textOrNull(data['currency'])} />}
            {papers.length > 0 && (
              <Panel title={translate('bills.review.papers')}>
                <Box sx={{ display: 'grid', gap: 3 }}>
                  {papers.map(({ name, label, urls }) => (
                    <div key={name}>
                      <Box sx={{ fontSize: 12, color: 'text.secondary', mb: 1 }}>{label}</Box>
                      <Images urls={urls} label={label} size={136} />
                    </div>
                  ))}
                </Box>
              </Panel>
            )}
          </Box>
        )}
      </Box>
      {dialog}
    </DetailLayout>
  );
}

/** A correction is of units or of parcels: what its lines have none of has no column. */
const emptyOf = (module: ReviewedModule, rows: readonly Row[]): string[] =>
  module === 'rmaCorrectionBill'
    ? ['lineId', ...['sn', 'deliverShipNo', 'chargeItems'].filter((name) => rows.every((it) => it[name] == null))]
    : [];

/** A table of sums is as wide as its amounts and heads are, in whatever language; a picture is not. */
const besideOf = (hasSums: boolean) => `minmax(0, 3fr) minmax(${hasSums ? 'min-content' : '240px'}, 1fr)`;

const none: readonly OtherCorrection[] = [];

const panelSx = {
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
  bgcolor: 'background.paper',
  px: 4,
  py: 3,
} as const;
const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** What is told elsewhere on the page: by the head, by the line of steps, by the amount. */
const toldApart = ['billStatus', 'currency', 'reviewRemark', 'createBy', 'createTime'];

/** The amount, large and in its currency, and beside it what it is for. */
function Summary({ module, data }: { module: ReviewedModule; data: Detail }) {
  const { fields, labels } = data.view;
  const { total, parts } = amountsOf[module];
  const currency = textOrNull(data['currency']);
  const columnOf = (name: string) => fields.find((it) => it.name === name);
  const said = (name: string) => {
    const column = columnOf(name);
    if (!column) return '';
    const text = column.format === 'percent' ? textOf(column, data[name], labels) : moneyText(data[name], currency);
    return `${column.label} ${text}`;
  };
  const apart = [...[fields[0]?.name, total, ...parts, ...toldApart, ...paperFields[module]], ...trailFields(module)];
  const rest = fields.filter((it) => !apart.includes(it.name));
  return (
    <Box sx={{ ...panelSx, display: 'flex', flexWrap: 'wrap', gap: '12px 40px' }}>
      <Box sx={{ maxWidth: 'min(100%, 400px)' }}>
        <Box sx={{ fontSize: 12, lineHeight: '16px', color: 'text.secondary' }}>{columnOf(total)?.label}</Box>
        <Box sx={{ ...tabularSx, fontSize: 32, lineHeight: '40px', fontWeight: 600, whiteSpace: 'nowrap' }}>
          {moneyText(data[total], currency)}
          <Box component="span" sx={{ ml: 2, fontSize: 14, fontWeight: 400, color: 'text.secondary' }}>
            {currency}
          </Box>
        </Box>
        <Box sx={{ ...tabularSx, fontSize: 12, lineHeight: '16px', color: 'text.secondary' }}>
          {parts.map(said).filter(Boolean).join(' · ')}
        </Box>
        {module === 'rmaPriceBill' && <EarlierPrice id={data.id} now={String(data[total] ?? 0)} currency={currency} />}
      </Box>
      <Box sx={{ flex: '1 1 320px', minWidth: 0 }}>
        <FactGrid hidesEmpty facts={factsOf({ columns: rest, row: data, labels })} />
      </Box>
    </Box>
  );
}

/** What the same work cost before, marked where the price has moved far from it, which prices end with this one, the days without one then, and beside which none is taken. Rule: money#price-bills. */
function EarlierPrice({ id, now, currency }: { id: number; now: string; currency: string | null }) {
  const translate = useTranslate();
  const { data } = useLookup(earlierPrice, { id }, { staleTime: 0 });
  const before = data?.earlier;
  const { percent, isUnusual } = before ? priceChange(before.unitPriceWithTax, now) : { percent: 0, isUnusual: false };
  const price = moneyText(before?.unitPriceWithTax, currency);
  const change = percent === null ? '' : `${percent > 0 ? '+' : ''}${String(percent).replace('-', '−')}`;
  return (
    <>
      <Marked>
        {before === null && translate('bills.review.firstPrice')}
        {before &&
          translate(change === '' || percent === 0 ? 'bills.review.before' : 'bills.review.beforeChanged', {
            price,
            change,
          })}
        {isUnusual && <span className="chip waits">{translate('bills.review.unusualChange')}</span>}
      </Marked>
      {data?.cuts.map((it) => (
        <Marked key={it.prbId}>{translate('bills.review.cuts', it)}</Marked>
      ))}
      {data?.gaps.map((it) => (
        <Marked key={it.from} sx={{ color: 'warning.main' }}>
          {translate('bills.review.gap', it)}
        </Marked>
      ))}
      {data?.clashes.map((it) => (
        <Marked key={it.prbId} sx={{ color: 'warning.main' }}>
          {translate('bills.review.clash', it)}
        </Marked>
      ))}
    </>
  );
}

/** Its line is there before its words are. */
const Marked = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 8,
  minHeight: 20,
  marginTop: 4,
  fontSize: 13,
  lineHeight: '20px',
  ...tabularSx,
  ...valueStyles(theme),
}));

interface DecisionProps {
  menuNo: string;
  /** As it is shown. */
  bill: Detail;
  reload: () => void;
  module: ReviewedModule;
  action: ReviewAction;
  /** Of the decision, for who cannot see it. */
  name: string;
  /** Why this reader has no decision here. */
  blocked: 'notWaiting' | 'yours' | 'changed' | false;
  /** When this reader changed the bill. */
  changedAt: number | null;
}

function Decision({ menuNo, bill, reload, module, action, name, blocked, changedAt }: DecisionProps) {
  const translate = useTranslate();
  const { id } = bill;
  const queue = useQueuePlace(menuNo, action, String(id));
  const notices = useNotices();
  const refresh = useRefresh();
  const [call] = useState(() => reviewCall(module, action, 'POST'));
  const { version, failed, notice } = useSeen(module, bill, reload);
  const [isPrice, isCorrection] = [module === 'rmaPriceBill', module === 'rmaCorrectionBill'];
  // What is told of others goes with the decision; it is told anew where that was refused.
  const prices = useLookup(earlierPrice, { id }, { enabled: isPrice, staleTime: 0 });
  const corrections = useLookup(otherCorrectionsOf, { id }, { enabled: isCorrection, staleTime: 0 });
  const told = prices.data ?? corrections.data;
  const { submit, sending, problem } = useSubmit(call, (error) => {
    if (isPrice) void prices.refetch();
    if (isCorrection) void corrections.refetch();
    return failed(error);
  });
  const [remark, setRemark] = useState('');
  const [missesReason, setMissesReason] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  const decide = async (result: ReviewResult) => {
    if (blocked || sending) return;
    const isReasonMissing = result === ReviewResult.NotPassed && isUnseen(remark);
    setMissesReason(isReasonMissing);
    if (isReasonMissing) return field.current?.focus();
    if (
      !(await submit({ id, version, result, remark: remark.trim() || null, ...(told && { foreseen: told.foreseen }) }))
    )
      return;
    notices.success(translate(result === ReviewResult.Passed ? 'bills.review.passed' : 'bills.review.notPassed'));
    refresh();
    queue.leadOn();
  };
  useShortcuts({
    pass: () => void decide(ReviewResult.Passed),
    notPass: () => void decide(ReviewResult.NotPassed),
    nextReview: () => queue.hasNext && queue.leadOn(),
  });
  const keysOf = (name: 'pass' | 'notPass') => keysAsShown(shortcuts[name].keys).join('+');
  return (
    <DetailFooter label={name}>
      <RefusedNotice notice={notice} problem={problem} />
      <Box sx={{ display: 'flex', gap: 2, alignItems: blocked ? 'center' : 'flex-start', flexWrap: 'wrap' }}>
        {blocked ? (
          <Alert severity="info" sx={{ flex: '1 1 280px', py: 0 }}>
            {translate(`bills.review.${blocked}`, { when: momentOf(changedAt) })}
          </Alert>
        ) : (
          <>
            <TextField
              inputRef={field}
              label={translate('bills.review.remark')}
              value={remark}
              error={missesReason}
              helperText={missesReason ? translate('bills.review.whyNot') : undefined}
              onChange={(it) => setRemark(it.target.value)}
              slotProps={{ htmlInput: { maxLength: REMARK_LENGTH } }}
              sx={{ flex: '1 1 280px' }}
            />
            <Button
              variant="outlined"
              color="error"
              size="medium"
              disabled={sending}
              title={keysOf('notPass')}
              onClick={() => void decide(ReviewResult.NotPassed)}
              sx={buttonSx}
            >
              {translate('bills.review.fail')}
            </Button>
            <Button
              variant="contained"
              size="medium"
              loading={sending}
              title={keysOf('pass')}
              onClick={() => void decide(ReviewResult.Passed)}
              sx={buttonSx}
            >
              {translate('bills.review.pass')}
            </Button>
          </>
        )}
        <Box sx={blocked ? undefined : { ...levelSx, minHeight: 38, display: 'flex', alignItems: 'center' }}>
          <QueueNext {...queue} />
        </Box>
      </Box>
    </DetailFooter>
  );
}

/** On a phone they stand below the field instead. */
const levelSx = { mt: { sm: besideLabelSx.mt } } as const;
const buttonSx = { ...levelSx, height: 38, minWidth: 112, flex: { xs: 1, sm: 'none' } } as const;
