import { useState } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { EMPTY, momentOf } from '#app/fields/format.ts';
import { useNotices, useReasonOf } from '#app/notify.ts';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { Reading } from '#app/parts/Reading.tsx';
import { useLookup } from '#app/parts/useLookup.ts';
import { useSeen } from '#app/parts/useSeen.tsx';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { REMARK_LENGTH } from '#domain/enums.ts';
import { groupBy } from '#domain/group.ts';
import { moneyText } from '#domain/money.ts';
import { changedPrices, confirmPrices } from './contract.ts';
import { validateConfirmed } from './rules.ts';

/** Lines whose price was voided or changed since, which keep it for a reason: one of all lines of a price, or a line's own. Rule: money#changed-prices. */
export default function ConfirmPricesDialog({ module, button, rows: [row], onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const notices = useNotices();
  const reasonOf = useReasonOf();
  const { version, failed, notice } = useSeen(module, row);
  const { data, error, refetch } = useLookup(
    changedPrices,
    { id: row?.id ?? 0 },
    { enabled: row !== undefined, staleTime: 0 },
  );
  const { submit, sending, problem } = useSubmit(confirmPrices, (refused) => {
    void refetch();
    return failed(refused);
  });
  const [reasons, setReasons] = useState<ReadonlyMap<number, string>>(new Map<number, string>());
  const [common, setCommon] = useState<ReadonlyMap<string, string>>(new Map<string, string>());
  if (!row) return null;
  const prices = groupBy(data?.lines ?? [], (it) => it.prbId ?? '');
  const lines = [...prices]
    .flatMap(([prbId, those]) =>
      those.map(({ lineId, beside }) => ({
        lineId,
        beside,
        reason: reasons.get(lineId)?.trim() || (common.get(prbId)?.trim() ?? ''),
      })),
    )
    .filter((it) => it.reason !== '');

  const confirm = async () => {
    const answer = await submit({ id: row.id, version, lines });
    if (!answer) return;
    notices.success(translate('bills.confirmPrices.done', { count: answer.confirmedCount }));
    onDone();
    onClose();
  };
  return (
    <ActionModal
      title={`${button.btnName} · ${String(row['rfbId'] ?? row.id)}`}
      action={button.btnName}
      sending={sending}
      disabled={validateConfirmed(lines).length > 0}
      problem={problem || (error ? reasonOf(error) : '')}
      onSubmit={() => void confirm()}
      onClose={onClose}
    >
      {notice}
      {!data && !error && <Reading />}
      {data && <div>{translate(`bills.confirmPrices.${data.lines.length === 0 ? 'none' : 'body'}`)}</div>}
      {[...prices].map(([prbId, those]) => {
        const voided = data?.voided.find((it) => it.prbId === prbId);
        return (
          <Box key={prbId} component="section" aria-label={prbId} sx={{ display: 'grid', gap: 4 }}>
            <Box component="h3" sx={{ m: 0, fontSize: 14, fontWeight: 600 }}>
              {voided
                ? translate('bills.confirmPrices.voided', { prbId, by: voided.by ?? EMPTY, at: momentOf(voided.at) })
                : translate('bills.confirmPrices.changed', { prbId })}
            </Box>
            {those.length > 1 && (
              <TextField
                fullWidth
                label={translate('bills.confirmPrices.reasonOfAll', { prbId, count: those.length })}
                value={common.get(prbId) ?? ''}
                onChange={(it) => setCommon((all) => new Map(all).set(prbId, it.target.value))}
                slotProps={{ htmlInput: { maxLength: REMARK_LENGTH } }}
              />
            )}
            {those.map(({ lineId, sn, amount, currency, now }) => {
              const name = sn ?? String(lineId);
              const was = priceText(prbId, amount, currency);
              const by = now && priceText(now.prbId, now.amount, now.currency);
              return (
                <div key={lineId}>
                  <Box sx={{ fontSize: 13, mb: 1 }}>
                    {translate(by === null ? 'bills.confirmPrices.noPrice' : 'bills.confirmPrices.line', {
                      name,
                      was,
                      now: by,
                    })}
                  </Box>
                  <TextField
                    fullWidth
                    label={translate('bills.confirmPrices.reason', { name })}
                    value={reasons.get(lineId) ?? ''}
                    placeholder={common.get(prbId)}
                    onChange={(it) => setReasons((all) => new Map(all).set(lineId, it.target.value))}
                    slotProps={{
                      htmlInput: { maxLength: REMARK_LENGTH },
                      // What holds for it is seen without a click.
                      inputLabel: common.get(prbId) ? { shrink: true } : {},
                    }}
                  />
                </div>
              );
            })}
          </Box>
        );
      })}
    </ActionModal>
  );
}

/** A price by its bill and what it comes to. */
const priceText = (prbId: string | null, amount: string | null, currency: string | null): string =>
  [prbId, moneyText(amount, currency)].filter(Boolean).join(' ');
