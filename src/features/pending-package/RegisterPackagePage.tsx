import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import Alert from '@mui/material/Alert';
import { useTranslate } from 'ra-core';
import { useNavigate } from 'react-router-dom';
import { Panel } from '#app/parts/Facts.tsx';
import { FormFrame } from '#app/parts/FormFrame.tsx';
import type { PageProps } from '#app/parts/page.ts';
import { PictureUpload } from '#app/parts/PictureUpload.tsx';
import { RemarkField } from '#app/parts/RemarkField.tsx';
import { useQueryParameter } from '#app/parts/scan/useScanFromAddress.ts';
import { useNotifyRefusal } from '#app/parts/scan/useRefusal.ts';
import { useWedge } from '#app/parts/scan/useWedge.ts';
import { useDraft } from '#app/parts/useDraft.ts';
import { useLookup } from '#app/parts/useLookup.ts';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { useNotices } from '#app/notify.ts';
import { CallError } from '#app/send.ts';
import { imageLimits, joinUrls } from '#domain/images.ts';
import { normaliseNo } from '#domain/sn.ts';
import { AddressFields } from './AddressFields.tsx';
import { createUnhandledPackageBill, queryByReceiveShipNo } from './contract.ts';
import { ParcelFields } from './ParcelFields.tsx';
import { ReceiverFields } from './ReceiverFields.tsx';
import { freshPackage, parcelOf, type PackageDraft } from './rules.draft.ts';
import { validateParcel } from './rules.ts';

/** A parcel that nobody announced is registered at the door. Rule: parcels#registering. */
export default function RegisterPackagePage({ menuNo }: PageProps) {
  const translate = useTranslate();
  const navigate = useNavigate();
  const notices = useNotices();
  const { byField } = useProblemWords();
  const shipNo = useRef<HTMLInputElement>(null);
  const [draft, setDraft, forgetDraft, isRead] = useDraft('pendingPackage', 'new', freshPackage);
  const [asked, setAsked] = useState('');
  const [torn, setTorn] = useState('');
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [openPictures, setOpenPictures] = useState('');
  const [heldBackBy, setHeldBackBy] = useState('');
  // What was said of it is over with it: what is chosen later says nothing unasked.
  const onOpen = useCallback((why: string) => {
    setOpenPictures(why);
    setHeldBackBy('');
  }, []);
  const { submit, sending, problem, problems: refused, forget } = useSubmit(createUnhandledPackageBill);
  const known = useLookup(queryByReceiveShipNo, { receiveShipNo: asked }, { enabled: asked !== '', staleTime: 0 });

  const change = (part: Partial<PackageDraft>) => {
    setDraft(part);
    setProblems({});
    setTorn('');
    forget();
  };
  const takeNo = (text: string) => {
    const no = normaliseNo(text);
    if (no !== draft.receiveShipNo) change({ receiveShipNo: no });
    setAsked(no);
  };
  const scan = (text: string) => {
    const no = normaliseNo(draft.receiveShipNo);
    // A second parcel must not take the place of the first while that is being written down.
    if (no !== '' && no !== normaliseNo(text)) {
      return setTorn(translate('bills.package.first', { no, next: text }));
    }
    takeNo(text);
  };
  // What sign-for has sent here is as a scan: it must not take the place of a parcel that was left half written.
  const [sent, setSent] = useState('');
  useQueryParameter('receiveShipNo', setSent);
  const takeSent = useEffectEvent(() => {
    setSent('');
    scan(sent);
  });
  useEffect(() => {
    if (isRead && sent !== '') takeSent();
  }, [isRead, sent]);
  useWedge(shipNo, scan, useNotifyRefusal());

  const press = async () => {
    if (sending) return;
    const parcel = parcelOf(draft);
    const found = byField(validateParcel(parcel));
    setProblems(found);
    setHeldBackBy(openPictures);
    if (openPictures || Object.keys(found).length > 0) return;
    const { repairInfo, urls, siteId } = draft;
    const input = { ...parcel, repairInfo: repairInfo.trim(), urlName: joinUrls(urls) };
    const answer = await submit({ ...input, ...(siteId !== '' && { siteId }) });
    if (!answer) return;
    forgetDraft();
    notices.success(translate('bills.package.told', { no: parcel.receiveShipNo, upbId: answer.upbId }));
    void navigate(`/${menuNo}/detail/${answer.id}`);
  };

  const isAsked = asked !== '' && asked === draft.receiveShipNo;
  const open = isAsked && known.error instanceof CallError ? known.error.msg : undefined;
  const told: Record<string, string> = {
    ...(open !== undefined && { receiveShipNo: open }),
    ...Object.fromEntries(refused.map((it) => [it.field ?? '', it.msg])),
    ...problems,
  };
  const fields = { draft, problems: told, onChange: change };
  return (
    <FormFrame
      wide
      menuNo={menuNo}
      title={translate('bills.package.title')}
      problem={torn || heldBackBy || problem}
      primary={{
        label: translate('bills.package.do'),
        press: () => void press(),
        disabled: sending,
      }}
    >
      <Panel title={translate('bills.package.parcel')}>
        <ParcelFields {...fields} inputRef={shipNo} onLeaveNo={() => takeNo(draft.receiveShipNo)} />
        {isAsked && known.data?.warning && (
          <Alert severity="warning" role="status" sx={{ py: 0 }}>
            {known.data.warning}
          </Alert>
        )}
      </Panel>
      <Panel title={translate('bills.package.receiver')}>
        <ReceiverFields {...fields} />
      </Panel>
      <Panel title={translate('bills.package.destination')}>
        <AddressFields {...fields} />
      </Panel>
      <Panel title={translate('bills.package.more')}>
        <RemarkField
          label={translate('stations.field.remark')}
          value={draft.repairInfo}
          onChange={(repairInfo) => change({ repairInfo })}
        />
        <PictureUpload
          label={translate('stations.picture.add')}
          urls={draft.urls}
          max={imageLimits.generic}
          onArrive={(url) => setDraft(({ urls }) => ({ urls: [...urls, url] }))}
          onRemove={(url) => setDraft(({ urls }) => ({ urls: urls.filter((it) => it !== url) }))}
          onOpen={onOpen}
        />
      </Panel>
    </FormFrame>
  );
}
