import { useState } from 'react';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useRefresh, useTranslate } from 'ra-core';
import { momentFromText } from '#domain/day.ts';
import { SelfPickupStatus } from '#domain/enums.ts';
import { splitUrls } from '#domain/images.ts';
import { statusOf } from '#app/engine/factsOf.tsx';
import type { Column, Detail, Row } from '#app/engine/wire.ts';
import { workshopZone } from '#app/fields/format.ts';
import { dateFormats } from '#app/fields/typedDate.ts';
import { useNotices, useReasonOf } from '#app/notify.ts';
import { Choice } from '#app/parts/Choice.tsx';
import { DateField } from '#app/parts/DateField.tsx';
import { DecisionFrame } from '#app/parts/DecisionFrame.tsx';
import { download } from '#app/parts/download.ts';
import { FactGrid, Panel } from '#app/parts/Facts.tsx';
import { cellOf } from '#app/parts/cells.tsx';
import { LineTable } from '#app/parts/LineTable.tsx';
import type { PageProps } from '#app/parts/page.ts';
import { PageHead } from '#app/parts/PageHead.tsx';
import { RemarkField } from '#app/parts/RemarkField.tsx';
import { StepLine, type ShownStep } from '#app/parts/StepLine.tsx';
import { useQueuePlace } from '#app/parts/useQueuePlace.ts';
import { useRecord } from '#app/parts/useRecord.ts';
import { useSeen } from '#app/parts/useSeen.tsx';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { useTabName } from '#app/shell/useTabName.ts';
import { downloadDocument, selfPickupReview } from './contract.ts';
import { validateReview, type Review } from './rules.ts';

type Pickup = Detail & {
  spkId: string;
  selfPickupStatus: string | null;
  mtbId: string | null;
  btmMtbId: string | null;
  btmUserId: string | null;
  siteId: string | null;
  companyName: string | null;
  branchContact: string | null;
  documentUrls: string | null;
  rejectionReason: string | null;
  reviewBy: string | null;
  reviewTime: number | null;
  createTime: number | null;
  rmaSelfPickupLineList: Row[];
};

const nothing = {
  selfPickupStatus: SelfPickupStatus.Waiting as string,
  pickupAddress: '',
  pickupTime: '',
  rejectionReason: '',
  branchContact: null as string | null,
};

/** A customer asks to fetch the goods: agreed with where and when, or refused with a reason. Rule: events#e38. */
export default function SelfPickupPage({ menuNo, id = '' }: PageProps) {
  const translate = useTranslate();
  const refresh = useRefresh();
  const notices = useNotices();
  const queue = useQueuePlace(menuNo, 'selfPickupReview', id);
  const { data: pickup, error, reload } = useRecord<Pickup>('rmaSelfPickup', id);
  const { version, failed, notice } = useSeen('rmaSelfPickup', pickup, reload);
  const { submit, sending, problem } = useSubmit(selfPickupReview, failed);
  const [form, setForm] = useState(nothing);
  useTabName(pickup?.spkId);
  const waits = (pickup?.selfPickupStatus ?? SelfPickupStatus.Waiting) === SelfPickupStatus.Waiting;
  const branchContact = form.branchContact ?? pickup?.branchContact ?? '';
  const isReading = !pickup && error === '';
  const change = (it: Partial<typeof nothing>) => setForm((before) => ({ ...before, ...it }));

  const send = async (review: Review): Promise<boolean> => {
    if (!pickup || !(await submit({ id: String(pickup.id), version, ...review }))) return false;
    notices.success(translate('stations.selfPickup.done', { no: pickup.spkId }));
    refresh();
    return true;
  };
  const say = (key: string) => translate(`stations.selfPickup.${key}`);
  return (
    <DecisionFrame
      key={id}
      {...{ menuNo, queue, send, sending, isReading }}
      title={say('title')}
      head={<PageHead {...{ isReading, menuNo }} status={pickup && statusOf(pickup.view, pickup)} />}
      isOpen={pickup !== undefined && waits}
      closed={say('before')}
      problem={problem || error}
      notice={notice}
      yes={{ value: SelfPickupStatus.Agreed, label: say('yes') }}
      no={{ value: SelfPickupStatus.Refused, label: say('no') }}
      chosen={form.selfPickupStatus}
      onChoose={(it) => change({ selfPickupStatus: it })}
      wordOf={(selfPickupStatus) => reviewOf({ ...form, branchContact, selfPickupStatus })}
      rules={(it) => validateReview(it, Date.now())}
      facts={pickup && <Site pickup={pickup} />}
      form={(problems) => <Fields form={{ ...form, branchContact }} problems={problems} onChange={change} />}
    >
      {pickup && <Request pickup={pickup} />}
    </DecisionFrame>
  );
}

interface FieldsProps {
  form: typeof nothing & { branchContact: string };
  problems: Record<string, string>;
  onChange: (it: Partial<typeof nothing>) => void;
}

/** What a decision asks for; which one it is, the two buttons say. */
function Fields({ form, problems, onChange }: FieldsProps) {
  const translate = useTranslate();
  const say = (key: string) => translate(`stations.selfPickup.${key}`);
  const { selfPickupStatus: status } = form;
  const isChosen = status !== (SelfPickupStatus.Waiting as string);
  return (
    <>
      {isChosen || problems['selfPickupStatus'] ? (
        <Choice
          required
          hasRoom
          label={say('status')}
          value={status}
          options={[
            { value: SelfPickupStatus.Waiting, label: say('select') },
            { value: SelfPickupStatus.Agreed, label: say('yes') },
            { value: SelfPickupStatus.Refused, label: say('no') },
          ]}
          error={problems['selfPickupStatus']}
          onChange={(it) => onChange({ selfPickupStatus: it })}
        />
      ) : (
        <Box sx={{ color: 'text.secondary', fontSize: 13 }}>{say('hint')}</Box>
      )}
      {status === SelfPickupStatus.Agreed && (
        <>
          <TextField
            required
            label={say('address')}
            value={form.pickupAddress}
            error={problems['pickupAddress'] !== undefined}
            helperText={problems['pickupAddress'] ?? ' '}
            onChange={(it) => onChange({ pickupAddress: it.target.value })}
            slotProps={{ htmlInput: { maxLength: 255 } }}
          />
          <DateField
            kind="moment"
            required
            label={say('time')}
            hint={dateFormats.moment}
            value={form.pickupTime}
            problem={problems['pickupTime']}
            onChange={(it, typed) => onChange({ pickupTime: it || typed })}
          />
        </>
      )}
      {status === SelfPickupStatus.Refused && (
        <RemarkField
          required
          label={say('reason')}
          value={form.rejectionReason}
          problem={problems['rejectionReason']}
          onChange={(it) => onChange({ rejectionReason: it })}
        />
      )}
      <TextField
        label={say('phone')}
        value={form.branchContact}
        error={problems['branchContact'] !== undefined}
        helperText={problems['branchContact'] ?? say('phoneHint')}
        onChange={(it) => onChange({ branchContact: it.target.value })}
        slotProps={{ htmlInput: { maxLength: 20, inputMode: 'tel', autoComplete: 'off' } }}
      />
    </>
  );
}

/** What is sent: only what the chosen status asks for, and the phone. */
function reviewOf(it: typeof nothing & { branchContact: string }): Review {
  const isAgreed = it.selfPickupStatus === SelfPickupStatus.Agreed;
  const isRefused = it.selfPickupStatus === SelfPickupStatus.Refused;
  const time = it.pickupTime.trim();
  return {
    selfPickupStatus: it.selfPickupStatus,
    pickupAddress: isAgreed ? it.pickupAddress.trim() : '',
    pickupTime: isAgreed && time !== '' ? momentFromText(time, workshopZone()) : null,
    rejectionReason: isRefused ? it.rejectionReason.trim() : '',
    branchContact: it.branchContact.trim(),
  };
}

/** Whose request it is. */
function Site({ pickup }: { pickup: Pickup }) {
  const translate = useTranslate();
  const say = (key: string) => translate(`stations.selfPickup.${key}`);
  const { siteId } = pickup;
  return (
    <Panel isDense title={say('request')}>
      <FactGrid
        facts={[
          {
            label: translate('stations.field.siteId'),
            value: pickup.view.labels?.['siteId']?.[siteId ?? ''] ?? siteId,
          },
          { label: say('company'), value: pickup.companyName },
          { label: say('account'), value: pickup.btmUserId },
          { label: say('number'), value: pickup.spkId, code: true },
          { label: translate('stations.field.mtbId'), value: pickup.mtbId, code: true },
          { label: say('website'), value: pickup.btmMtbId, code: true },
        ]}
      />
    </Panel>
  );
}

/** Who asked and who judged, what is to be fetched, and the papers. */
function Request({ pickup }: { pickup: Pickup }) {
  const translate = useTranslate();
  const notices = useNotices();
  const reasonOf = useReasonOf();
  const say = (key: string) => translate(`stations.selfPickup.${key}`);
  const columns: Column[] = [
    { name: 'itemName', type: 'String', label: translate('stations.field.itemName') },
    { name: 'sn', type: 'String', format: 'code', label: 'SN' },
    { name: 'remark', type: 'String', label: translate('stations.field.remark') },
  ];
  const save = () => {
    download(downloadDocument, { id: String(pickup.id) }).catch((failure: unknown) => notices.error(reasonOf(failure)));
  };
  return (
    <>
      <Box sx={{ border: 1, borderColor: 'divider', borderRadius: 1, bgcolor: 'background.paper', px: 4, py: 3 }}>
        <StepLine label={say('way')} steps={stepsOf(pickup, say)} />
      </Box>
      <Panel title={say('lines')}>
        <LineTable label={say('lines')} columns={columns} rows={pickup.rmaSelfPickupLineList} cell={cellOf} />
      </Panel>
      <Panel title={say('documents')}>
        {splitUrls(pickup.documentUrls).length > 0 ? (
          <Button variant="outlined" onClick={save}>
            {say('download')}
          </Button>
        ) : (
          say('noDocument')
        )}
      </Panel>
    </>
  );
}

/** The customer asks, after-sales answers. */
function stepsOf(pickup: Pickup, say: (key: string) => string): ShownStep[] {
  const { selfPickupStatus: status, reviewBy, reviewTime } = pickup;
  const asked: ShownStep = { name: say('requested'), state: 'done', by: pickup.companyName, at: pickup.createTime };
  if ((status ?? SelfPickupStatus.Waiting) === SelfPickupStatus.Waiting) {
    return [asked, { name: say('reviewed'), state: 'next', standing: say('waits') }];
  }
  const isAgreed = status === SelfPickupStatus.Agreed;
  const by = pickup.view.labels?.['reviewBy']?.[reviewBy ?? ''] ?? reviewBy;
  return [
    asked,
    {
      ...{ name: say('reviewed'), state: isAgreed ? 'done' : 'refused', by, at: reviewTime },
      ...{ standing: say(isAgreed ? 'agreed' : 'refused'), remark: isAgreed ? null : pickup.rejectionReason },
    },
  ];
}
