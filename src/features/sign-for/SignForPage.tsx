import { type KeyboardEvent, useRef, useState } from 'react';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useTranslate } from 'ra-core';
import { Link } from 'react-router-dom';
import { useUser } from '#app/session.ts';
import { FormFrame } from '#app/parts/FormFrame.tsx';
import { NumberField } from '#app/parts/NumberField.tsx';
import { isPlainEnter } from '#app/parts/enter.ts';
import { VerdictLine } from '#app/parts/scan/VerdictLine.tsx';
import type { PageProps } from '#app/parts/page.ts';
import { classifyError } from '#app/parts/scan/answers.ts';
import { play, type Sound } from '#app/parts/scan/sounds.ts';
import type { Verdict } from '#app/parts/scan/stationContract.ts';
import { useNotifyRefusal, useRefusalWords } from '#app/parts/scan/useRefusal.ts';
import { useWedge } from '#app/parts/scan/useWedge.ts';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { useStationKiosk } from '#app/shell/useStationKiosk.ts';
import { REMARK_LENGTH } from '#domain/enums.ts';
import { mayDo } from '#domain/rights.ts';
import { normaliseNo } from '#domain/sn.ts';
import { toQuery } from '#domain/viewAddress.ts';
import { signFor } from './contract.ts';
import { validateSignFor } from './rules.ts';
import { SignedParcels, type SignedParcel } from './SignedParcels.tsx';

/** Where a parcel that nobody announced is registered, its number filled in. Rule: parcels#registering. */
const addressOfRegistering = (receiveShipNo: string): string =>
  `/rmaUnhandledPackageBillList/createUnhandledPackage?${toQuery({ receiveShipNo })}`;

const fresh = { receiveShipNo: '', count: '1', remark: '' };

/** A parcel at the gate: its number is scanned, its packages are counted, and it is signed for. Rule: events#e01. */
export default function SignForPage({ menuNo }: PageProps) {
  const translate = useTranslate();
  const user = useUser();
  const shipNo = useRef<HTMLInputElement>(null);
  const count = useRef<HTMLInputElement>(null);
  const [form, setForm] = useState(fresh);
  const [early, setEarly] = useState('');
  const [torn, setTorn] = useState('');
  const [missing, setMissing] = useState(false);
  const [message, setMessage] = useState<{ severity: 'success' | 'warning'; no: string; text: string } | null>(null);
  const [failure, setFailure] = useState<Sound>('refused');
  const [signed, setSigned] = useState<readonly SignedParcel[]>([]);
  const sound = (it: Sound) => play(it, user?.userId ?? '');
  const { submit, sending, problem, forget } = useSubmit(signFor, (error) => {
    const kind = classifyError(error);
    // Here nothing is kept that would go by itself.
    const told = kind === 'kept' ? 'refused' : kind;
    setFailure(told);
    sound(told);
  });
  const kiosk = useStationKiosk();
  const mayRegister = mayDo(new Set(user?.access), 'rmaUnhandledPackageBill:createUnhandledPackage');
  // Who stands at a station alone stays there.
  const registerAddress = mayRegister && !kiosk.isKiosk ? addressOfRegistering : undefined;

  const receiveShipNo = normaliseNo(form.receiveShipNo);
  const receivePackageCount = Number(form.count);
  const isCount = Number.isInteger(receivePackageCount) && receivePackageCount > 0;
  const change = (part: Partial<typeof fresh>) => {
    setForm((it) => ({ ...it, ...part }));
    setMissing(false);
    setEarly('');
    setTorn('');
    forget();
  };
  const take = (text: string) => {
    if (receiveShipNo === '') {
      change({ receiveShipNo: text });
      return count.current?.focus();
    }
    // A parcel scanned while the count of the one before is still open must not end up in that count.
    setTorn('');
    setEarly(text);
    setMessage(null);
    sound('wrong');
  };
  const notifyRefusal = useNotifyRefusal();
  const refusalOf = useRefusalWords();
  useWedge(shipNo, take, (why, text) => {
    if (!kiosk.isKiosk) return notifyRefusal(why, text);
    setTorn(refusalOf(why, text));
    sound('wrong');
  });

  const press = async () => {
    if (sending) return;
    setMessage(null);
    const problems = validateSignFor({ receiveShipNo, receivePackageCount: isCount ? receivePackageCount : 0 });
    if (problems.length > 0) {
      setMissing(true);
      sound('wrong');
      (receiveShipNo === '' ? shipNo : count).current?.focus();
      return;
    }
    const parcel = { receiveShipNo, receivePackageCount, remark: form.remark.trim() };
    const answer = await submit(parcel);
    shipNo.current?.focus();
    if (!answer) return;
    sound('ok');
    setSigned([{ ...parcel, id: answer.id, mtbId: answer.mtbId }, ...signed]);
    setForm(fresh);
    // A parcel that no bill waits for is signed for, and somebody has to find out whose it is.
    setMessage({
      severity: answer.mtbId ? 'success' : 'warning',
      no: receiveShipNo,
      text: translate('stations.signFor.told', {
        no: receiveShipNo,
        smart_count: receivePackageCount,
        bill: answer.mtbId ?? translate('stations.signFor.noBill'),
      }),
    });
  };
  const onShipNoKey = (event: KeyboardEvent) => {
    if (!isPlainEnter(event)) return;
    event.preventDefault();
    count.current?.focus();
    count.current?.select();
  };
  const first = early && translate('stations.signFor.first', { no: receiveShipNo, next: early });
  const findVerdict = (): Verdict | null => {
    if (torn) return { kind: 'wrong', sn: '', text: torn };
    if (early) return { kind: 'wrong', sn: early, text: first };
    if (problem) return { kind: failure, sn: receiveShipNo, text: problem };
    if (missing) return { kind: 'wrong', sn: '', text: translate('stations.emptyMsg') };
    return message && { kind: 'ok', sn: message.no, text: message.text, isWarning: message.severity === 'warning' };
  };
  const closeVerdict = () => {
    change({});
    setMessage(null);
  };
  const empty = (is: boolean) => (missing && is ? translate('stations.emptyMsg') : ' ');

  return (
    <FormFrame
      menuNo={menuNo}
      title={translate('stations.signFor.title')}
      problem={kiosk.isKiosk ? '' : early ? first : problem}
      primary={{
        label: translate('stations.signFor.do'),
        press: () => void press(),
        // From two metres a button says by its look whether there is anything to sign for.
        disabled: sending || (kiosk.isKiosk && receiveShipNo === ''),
      }}
      kiosk={kiosk}
      verdict={
        kiosk.isKiosk && (
          <VerdictLine
            isLarge
            verdict={findVerdict()}
            onClose={closeVerdict}
            idle={translate('stations.signFor.idle')}
          />
        )
      }
      before={
        message &&
        !kiosk.isKiosk && (
          <Alert
            severity={message.severity}
            role={message.severity === 'success' ? 'status' : 'alert'}
            action={
              message.severity === 'warning' &&
              registerAddress && (
                <Button color="inherit" size="small" component={Link} to={registerAddress(message.no)}>
                  {translate('stations.signFor.register')}
                </Button>
              )
            }
            sx={{ py: 0 }}
          >
            {message.text}
          </Alert>
        )
      }
      aside={<SignedParcels parcels={signed} isLarge={kiosk.isKiosk} registerAddress={registerAddress} />}
    >
      <TextField
        inputRef={shipNo}
        autoFocus
        required
        label={translate('stations.field.receiveShipNo')}
        value={form.receiveShipNo}
        error={missing && receiveShipNo === ''}
        helperText={empty(receiveShipNo === '')}
        onChange={(it) => change({ receiveShipNo: it.target.value })}
        slotProps={{ htmlInput: { 'data-scan': 'number', autoComplete: 'off', maxLength: 64, onKeyDown: onShipNoKey } }}
      />
      <NumberField
        inputRef={count}
        required
        label={translate('stations.field.receivePackageCount')}
        value={form.count}
        problem={missing && !isCount ? empty(!isCount) : undefined}
        onChange={(it) => change({ count: it })}
        htmlInput={{ 'data-enter': 'submit' }}
      />
      <TextField
        multiline
        minRows={3}
        label={translate('stations.field.remark')}
        value={form.remark}
        helperText=" "
        onChange={(it) => change({ remark: it.target.value })}
        slotProps={{ htmlInput: { maxLength: REMARK_LENGTH } }}
      />
      <Box>
        <Button onClick={() => change(fresh)} disabled={sending}>
          {translate('stations.clear')}
        </Button>
      </Box>
    </FormFrame>
  );
}
