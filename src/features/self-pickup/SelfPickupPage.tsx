import { useState } from 'react';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useRefresh, useTranslate } from 'ra-core';
import { useNavigate } from 'react-router-dom';
import { momentFromText } from '#domain/day.ts';
import { SelfPickupStatus } from '#domain/enums.ts';
import { splitUrls } from '#domain/images.ts';
import type { Column, Detail, Row } from '#app/engine/wire.ts';
import { useNotices, useReasonOf } from '#app/notify.ts';
import { Choice } from '#app/parts/Choice.tsx';
import { download } from '#app/parts/download.ts';
import { FactGrid, Panel } from '#app/parts/Facts.tsx';
import { FormFrame } from '#app/parts/FormFrame.tsx';
import { LineTable } from '#app/parts/LineTable.tsx';
import type { PageProps } from '#app/parts/page.ts';
import { RemarkField } from '#app/parts/RemarkField.tsx';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { useRecord } from '#app/parts/useRecord.ts';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { findTabAddress } from '#app/shell/tabs.ts';
import { useTabName } from '#app/shell/useTabName.ts';
import { downloadDocument, selfPickupReview } from './contract.ts';
import { MomentField } from './MomentField.tsx';
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
  const navigate = useNavigate();
  const refresh = useRefresh();
  const notices = useNotices();
  const { byField } = useProblemWords();
  const { data: pickup, error } = useRecord<Pickup>('rmaSelfPickup', id);
  const { submit, sending, problem } = useSubmit(selfPickupReview);
  const [form, setForm] = useState(nothing);
  const [problems, setProblems] = useState<Record<string, string>>({});
  useTabName(pickup?.spkId);
  const waits = (pickup?.selfPickupStatus ?? SelfPickupStatus.Waiting) === SelfPickupStatus.Waiting;
  const branchContact = form.branchContact ?? pickup?.branchContact ?? '';
  const { selfPickupStatus: status } = form;
  const isAgreed = status === SelfPickupStatus.Agreed;
  const isRefused = status === SelfPickupStatus.Refused;
  const change = (it: Partial<typeof nothing>) => {
    setForm((before) => ({ ...before, ...it }));
    setProblems({});
  };

  const press = async () => {
    if (!pickup || !waits || sending) return;
    const review = reviewOf({ ...form, branchContact });
    const found = validateReview(review, Date.now());
    setProblems(byField(found));
    if (found.length > 0) return;
    if (!(await submit({ id: String(pickup.id), ...review }))) return;
    notices.success(translate('stations.selfPickup.done', { no: pickup.spkId }));
    refresh();
    void navigate(findTabAddress(`/${menuNo}`));
  };
  const say = (key: string) => translate(`stations.selfPickup.${key}`);
  return (
    <FormFrame
      wide
      menuNo={menuNo}
      title={say('title')}
      problem={problem || error}
      primary={{ label: say('do'), press: () => void press(), disabled: !pickup || !waits || sending }}
      aside={
        pickup && (
          <Panel title={say('title')}>
            {!waits && <Alert severity="info">{say('before')}</Alert>}
            {waits && (
              <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3 }}>
                <Choice
                  required
                  autoFocus
                  hasRoom
                  label={say('status')}
                  value={status}
                  options={[
                    { value: SelfPickupStatus.Waiting, label: say('select') },
                    { value: SelfPickupStatus.Agreed, label: say('yes') },
                    { value: SelfPickupStatus.Refused, label: say('no') },
                  ]}
                  error={problems['selfPickupStatus']}
                  onChange={(it) => change({ selfPickupStatus: it })}
                />
                {isAgreed && (
                  <>
                    <TextField
                      required
                      label={say('address')}
                      value={form.pickupAddress}
                      error={problems['pickupAddress'] !== undefined}
                      helperText={problems['pickupAddress'] ?? ' '}
                      onChange={(it) => change({ pickupAddress: it.target.value })}
                      slotProps={{ htmlInput: { maxLength: 255 } }}
                    />
                    <MomentField
                      label={say('time')}
                      choose={say('chooseTime')}
                      value={form.pickupTime}
                      problem={problems['pickupTime']}
                      onChange={(it) => change({ pickupTime: it })}
                    />
                  </>
                )}
                {isRefused && (
                  <RemarkField
                    required
                    label={say('reason')}
                    value={form.rejectionReason}
                    problem={problems['rejectionReason']}
                    onChange={(it) => change({ rejectionReason: it })}
                  />
                )}
                <TextField
                  label={say('phone')}
                  value={branchContact}
                  error={problems['branchContact'] !== undefined}
                  helperText={problems['branchContact'] ?? say('phoneHint')}
                  onChange={(it) => change({ branchContact: it.target.value })}
                  slotProps={{ htmlInput: { maxLength: 20, inputMode: 'tel', autoComplete: 'off' } }}
                />
              </Box>
            )}
          </Panel>
        )
      }
    >
      {pickup && <Request pickup={pickup} />}
    </FormFrame>
  );
}

/** What is sent: only what the chosen status asks for, and the phone. */
function reviewOf(it: typeof nothing & { branchContact: string }): Review {
  const isAgreed = it.selfPickupStatus === SelfPickupStatus.Agreed;
  const isRefused = it.selfPickupStatus === SelfPickupStatus.Refused;
  const time = it.pickupTime.trim();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return {
    selfPickupStatus: it.selfPickupStatus,
    pickupAddress: isAgreed ? it.pickupAddress.trim() : '',
    pickupTime: isAgreed && time !== '' ? momentFromText(time, zone) : null,
    rejectionReason: isRefused ? it.rejectionReason.trim() : '',
    branchContact: it.branchContact.trim(),
  };
}

function Request({ pickup }: { pickup: Pickup }) {
  const translate = useTranslate();
  const notices = useNotices();
  const reasonOf = useReasonOf();
  const say = (key: string) => translate(`stations.selfPickup.${key}`);
  const { siteId } = pickup;
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
      <Panel title={say('request')}>
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
      <Panel title={say('lines')}>
        <LineTable label={say('lines')} columns={columns} rows={pickup.rmaSelfPickupLineList} />
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
