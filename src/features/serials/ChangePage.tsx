import { useRef, useState } from 'react';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useTranslate } from 'ra-core';
import { useNavigate } from 'react-router-dom';
import { useNotices, useReasonOf } from '#app/notify.ts';
import { Moment } from '#app/parts/cells.tsx';
import { Choice } from '#app/parts/Choice.tsx';
import { FactGrid, Panel } from '#app/parts/Facts.tsx';
import { FormFrame } from '#app/parts/FormFrame.tsx';
import { useLabelOf, useOptions } from '#app/parts/optionLabels.ts';
import type { PageProps } from '#app/parts/page.ts';
import { RemarkField } from '#app/parts/RemarkField.tsx';
import { atEnter } from '#app/parts/enter.ts';
import { readSn, snInput } from '#app/parts/scan/labels.ts';
import { useNotifyRefusal } from '#app/parts/scan/useRefusal.ts';
import { useWedge } from '#app/parts/scan/useWedge.ts';
import { SnLink } from '#app/parts/SnLink.tsx';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { send } from '#app/send.ts';
import { useUser } from '#app/session.ts';
import { findTabAddress } from '#app/shell/tabs.ts';
import type { DataOf } from '#domain/call.ts';
import { LabelPrintKind } from '#domain/enums.ts';
import type { Problem } from '#domain/refusal.ts';
import { isSn } from '#domain/sn.ts';
import { changeSn, generateSn, querySnInfo } from './contract.change.ts';
import { sendChangedLabel } from './contract.labels.ts';
import { isLabelKind, LabelKind } from '#domain/labelPrint.ts';
import { OTHER_CAUSE, validateChange } from './rules.change.ts';
import { useLabelOutput } from '#app/parts/labels/LabelOutput.tsx';

type Found = DataOf<typeof querySnInfo>;

const fresh = { cause: '', oldSn: '', newSn: '', remark: '' };

/** A unit gets another SN; its label is printed at once. Rule: labels#changing. */
export default function ChangePage({ menuNo }: PageProps) {
  const translate = useTranslate();
  const navigate = useNavigate();
  const notices = useNotices();
  const labelOf = useLabelOf();
  const reasonOf = useReasonOf();
  const user = useUser();
  const { wordsOf } = useProblemWords();
  const causes = useOptions('snChangeCauses');
  const { submit, sending, problem, problems: refused, forget } = useSubmit(changeSn);
  const {
    submit: generate,
    sending: isGenerating,
    problem: notGenerated,
    forget: forgetNumber,
  } = useSubmit(generateSn);
  const oldField = useRef<HTMLInputElement>(null);
  const newField = useRef<HTMLInputElement>(null);
  const asked = useRef(0);
  const [form, setForm] = useState(fresh);
  const [found, setFound] = useState<Found | null>(null);
  const [today] = useState(() => Date.now());
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [message, setMessage] = useState('');
  const newSn = readSn(form.newSn);
  const { print, output } = useLabelOutput(
    sendChangedLabel,
    LabelPrintKind.Change,
    isLabelKind(found?.shape) ? found.shape : LabelKind.Device,
    isLabelKind(found?.shape) && isSn(newSn)
      ? { sn: newSn, modelCode: found.modelCode ?? '', kind: found.shape }
      : null,
  );
  const [done, setDone] = useState<{ from: string; to: string } | null>(null);
  const wrong: Record<string, string> = {};
  for (const it of problems) {
    const field = it.field ?? '';
    wrong[field] ??=
      it.key === 'format' ? translate('refusals.format', { field: translate(`serials.change.${field}`) }) : wordsOf(it);
  }
  for (const { field, msg } of refused) if (field) wrong[field] ??= msg;

  const isIncomplete = problems.some((it) => it.key === 'required');

  const change = (part: Partial<typeof fresh>) => {
    setForm((it) => ({ ...it, ...part }));
    setProblems([]);
    setMessage('');
    forget();
    forgetNumber();
  };
  const forgetFound = (oldSn: string) => {
    asked.current += 1;
    change({ oldSn });
    setFound(null);
  };
  const lookUp = async (text: string) => {
    const sn = readSn(text);
    forgetFound(sn);
    if (sn === '') return;
    const mine = asked.current;
    try {
      const info = await send(querySnInfo, { sn });
      if (mine !== asked.current) return;
      setFound(info);
      newField.current?.focus();
    } catch (error) {
      if (mine !== asked.current) return;
      setMessage(reasonOf(error));
      oldField.current?.select();
    }
  };
  // A scan while the focus is elsewhere is the old SN until that is found, then the new one.
  useWedge(
    found ? newField : oldField,
    (text) => (found ? change({ newSn: readSn(text) }) : void lookUp(text)),
    useNotifyRefusal(),
  );

  const press = async () => {
    const input = { ...form, oldSn: readSn(form.oldSn), newSn: readSn(form.newSn), remark: form.remark.trim() };
    const missing = validateChange(
      input,
      causes.map((it) => it.value),
    );
    setProblems(missing);
    if (missing.length > 0) return;
    const answer = await submit(input);
    if (!answer) return;
    notices.success(translate('serials.change.done', { from: input.oldSn, to: answer.sn }));
    setDone({ from: input.oldSn, to: answer.sn });
    setForm(fresh);
    setFound(null);
    if (isLabelKind(answer.barcodeType)) {
      print({ snList: [answer.sn], modelCode: answer.modelCode, kind: answer.barcodeType });
    }
    oldField.current?.focus();
  };
  const give = async () => {
    if (!found || isGenerating) return;
    const given = await generate({ itemObjectId: found.itemObjectId });
    if (given) change({ newSn: given.sn });
  };

  return (
    <FormFrame
      menuNo={menuNo}
      title={translate('serials.change.title')}
      problem={message || problem || notGenerated || (isIncomplete ? translate('stations.emptyMsg') : '')}
      primary={{ label: translate('serials.change.do'), press: () => void press(), disabled: !found || sending }}
      more={
        <Button onClick={() => void navigate(findTabAddress(`/${menuNo}`))}>{translate('ra.action.cancel')}</Button>
      }
      aside={
        done && (
          <Panel title={translate('serials.change.last')}>
            <FactGrid
              facts={[
                { label: translate('serials.change.oldSn'), value: done.from, code: true },
                { label: translate('serials.change.newSn'), value: <SnLink sn={done.to} /> },
              ]}
            />
          </Panel>
        )
      }
    >
      <TextField
        required
        autoFocus
        inputRef={oldField}
        label={translate('serials.change.oldSn')}
        value={form.oldSn}
        error={wrong['oldSn'] !== undefined}
        helperText={wrong['oldSn'] ?? translate('serials.reprint.hint')}
        onChange={(it) => forgetFound(it.target.value)}
        slotProps={{
          htmlInput: {
            ...snInput,
            'data-scan': 'sn',
            'data-first': '',
            autoComplete: 'off',
            onKeyDown: atEnter(() => void lookUp(form.oldSn)),
          },
        }}
      />
      {found && (
        <Panel title={found.sn}>
          <FactGrid
            facts={[
              { label: translate('stations.field.salesCode'), value: found.salesCode, code: true },
              { label: translate('serials.description'), value: found.description },
              { label: translate('serials.modelCode'), value: found.modelCode, code: true },
              { label: translate('serials.change.shape'), value: labelOf('barcodeType', found.shape) },
              { label: translate('serials.change.operator'), value: user?.userName },
              { label: translate('serials.change.date'), value: <Moment at={today} withTime={false} /> },
            ]}
          />
        </Panel>
      )}
      <Choice
        required
        hasRoom
        label={translate('serials.change.cause')}
        value={form.cause}
        options={causes}
        error={wrong['cause']}
        onChange={(cause) => change({ cause })}
      />
      <Box sx={{ display: 'flex', gap: 2, alignItems: 'flex-start' }}>
        <TextField
          required
          fullWidth
          inputRef={newField}
          label={translate('serials.change.newSn')}
          value={form.newSn}
          error={wrong['newSn'] !== undefined}
          helperText={wrong['newSn'] ?? translate('serials.change.hint')}
          onChange={(it) => change({ newSn: it.target.value })}
          slotProps={{
            htmlInput: {
              ...snInput,
              'data-scan': 'sn',
              autoComplete: 'off',
              onKeyDown: atEnter(() => change({ newSn: readSn(form.newSn) })),
            },
          }}
        />
        <Button
          variant="outlined"
          size="medium"
          disabled={!found || isGenerating}
          onClick={() => void give()}
          // Beside the field, below its label.
          sx={{ flex: 'none', mt: '22px' }}
        >
          {translate('serials.change.generate')}
        </Button>
      </Box>
      <RemarkField
        label={translate('stations.field.remark')}
        value={form.remark}
        required={form.cause === OTHER_CAUSE}
        problem={wrong['remark']}
        onChange={(remark) => change({ remark })}
      />
      {output}
    </FormFrame>
  );
}
