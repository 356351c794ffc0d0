import { useRef, useState } from 'react';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useTranslate } from 'ra-core';
import { useNavigate } from 'react-router-dom';
import { useReasonOf } from '#app/notify.ts';
import { Choice } from '#app/parts/Choice.tsx';
import { FactGrid, Panel } from '#app/parts/Facts.tsx';
import { FormFrame } from '#app/parts/FormFrame.tsx';
import { useLabelOf, useOptions } from '#app/parts/optionLabels.ts';
import type { PageProps } from '#app/parts/page.ts';
import { atEnter } from '#app/parts/enter.ts';
import { readSn, snInput } from '#app/parts/scan/labels.ts';
import { useNotifyRefusal } from '#app/parts/scan/useRefusal.ts';
import { useWedge } from '#app/parts/scan/useWedge.ts';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { send } from '#app/send.ts';
import { findTabAddress } from '#app/shell/tabs.ts';
import type { DataOf } from '#domain/call.ts';
import { LabelPrintKind } from '#domain/enums.ts';
import type { Problem } from '#domain/refusal.ts';
import { normaliseNo, normaliseSn } from '#domain/sn.ts';
import { getSnDetail, reprintBarCode } from './contract.ts';
import { sendReprints } from './contract.labels.ts';
import { validateLookup, validateReprint } from './rules.ts';
import { isLabelKind, LabelKind } from '#domain/labelPrint.ts';
import { useLabelOutput } from '#app/parts/labels/LabelOutput.tsx';

type Found = DataOf<typeof getSnDetail>;

/** The label of an SN that is known, once more. Rule: labels#reprinting. */
export default function ReprintPage({ menuNo }: PageProps) {
  const translate = useTranslate();
  const navigate = useNavigate();
  const labelOf = useLabelOf();
  const reasonOf = useReasonOf();
  const { byField } = useProblemWords();
  const kinds = useOptions('barcodeType');
  const { submit, sending, problem, forget } = useSubmit(reprintBarCode);
  const field = useRef<HTMLInputElement>(null);
  const asked = useRef(0);
  const [kind, setKind] = useState<string>(LabelKind.Device);
  const [sn, setSn] = useState('');
  const [found, setFound] = useState<Found | null>(null);
  const [orderNo, setOrderNo] = useState('');
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [message, setMessage] = useState('');
  const wrong = byField(problems);
  const { print, output } = useLabelOutput(
    sendReprints,
    LabelPrintKind.Reprint,
    isLabelKind(kind) ? kind : LabelKind.Device,
    found && isLabelKind(kind) ? { sn, modelCode: found.modelCode ?? '', kind } : null,
  );

  const forgetFound = () => {
    asked.current += 1;
    setFound(null);
    setOrderNo('');
    setProblems([]);
    setMessage('');
    forget();
  };
  const lookUp = async (text: string) => {
    forgetFound();
    const wanted = readSn(text);
    setSn(wanted);
    const missing = validateLookup(wanted, kind);
    setProblems(missing);
    if (missing.length > 0) return;
    const mine = asked.current;
    try {
      const detail = await send(getSnDetail, { sn: wanted, barcodeType: kind });
      if (mine !== asked.current) return;
      setFound(detail);
      setOrderNo(detail.orderNo ?? '');
    } catch (error) {
      if (mine === asked.current) setMessage(reasonOf(error));
    }
    field.current?.select();
  };
  useWedge(field, (text) => void lookUp(text), useNotifyRefusal());

  const press = async () => {
    const missing = found ? validateReprint(kind, normaliseNo(orderNo)) : validateLookup(normaliseSn(sn), kind);
    setProblems(missing);
    if (!found || missing.length > 0) return;
    const done = await submit({ snDetailId: found.snDetailId, barcodeType: kind, orderNo: normaliseNo(orderNo) });
    if (!done || !isLabelKind(done.barcodeType)) return;
    print({ snList: [done.sn], modelCode: done.modelCode, kind: done.barcodeType });
    field.current?.focus();
    field.current?.select();
  };

  return (
    <FormFrame
      menuNo={menuNo}
      title={translate('serials.reprint.title')}
      problem={message || problem || (problems.length > 0 ? translate('stations.emptyMsg') : '')}
      primary={{ label: translate('serials.reprint.do'), press: () => void press(), disabled: !found || sending }}
      more={
        <Button onClick={() => void navigate(findTabAddress(`/${menuNo}`))}>{translate('ra.action.cancel')}</Button>
      }
    >
      <Choice
        required
        hasRoom
        label={translate('serials.kind')}
        value={kind}
        options={kinds}
        error={wrong['barcodeType']}
        onChange={(it) => {
          forgetFound();
          setKind(it);
        }}
        thenScan
      />
      <TextField
        required
        autoFocus
        inputRef={field}
        label={translate('serials.sn')}
        value={sn}
        error={wrong['sn'] !== undefined}
        helperText={wrong['sn'] ?? translate('serials.reprint.hint')}
        onChange={(it) => {
          forgetFound();
          setSn(it.target.value);
        }}
        slotProps={{
          htmlInput: {
            ...snInput,
            'data-scan': 'sn',
            'data-first': '',
            autoComplete: 'off',
            onKeyDown: atEnter(() => void lookUp(sn)),
          },
        }}
      />
      {found && (
        <Panel title={sn}>
          <FactGrid
            facts={[
              { label: translate('stations.field.salesCode'), value: found.salesCode, code: true },
              { label: translate('serials.description'), value: found.saleItemDesc },
              { label: translate('serials.version'), value: found.productVer, code: true },
              { label: translate('serials.modelCode'), value: found.modelCode, code: true },
              { label: translate('serials.verType'), value: labelOf('productVerType', found.productVerType) },
              { label: translate('serials.order'), value: found.orderNo, code: true },
            ]}
          />
        </Panel>
      )}
      {found && kind === LabelKind.Controls && found.orderNo === null && (
        <TextField
          required
          label={translate('serials.order')}
          value={orderNo}
          error={wrong['orderNo'] !== undefined}
          helperText={wrong['orderNo'] ?? ' '}
          onChange={(it) => setOrderNo(it.target.value.toUpperCase())}
          slotProps={{
            htmlInput: { 'data-scan': 'number', autoComplete: 'off', maxLength: 50, 'data-enter': 'submit' },
          }}
        />
      )}
      {output}
    </FormFrame>
  );
}
