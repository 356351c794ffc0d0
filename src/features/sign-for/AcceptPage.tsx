import { useState } from 'react';
import Alert from '@mui/material/Alert';
import { useTranslate } from 'ra-core';
import { useNavigate } from 'react-router-dom';
import { useNotices } from '#app/notify.ts';
import { FactGrid, Panel } from '#app/parts/Facts.tsx';
import { FormFrame } from '#app/parts/FormFrame.tsx';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import type { PageProps } from '#app/parts/page.ts';
import { useRecord } from '#app/parts/useRecord.ts';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { ArrivalStatus } from '#domain/enums.ts';
import { useTabName } from '#app/shell/useTabName.ts';
import { accept } from './contract.ts';

interface Arrival {
  id: number;
  abId: string;
  receiveShipNo: string;
  receivePackageCount: number | null;
  remark: string | null;
  signTime: number | null;
  status: string;
  mtbId: string | null;
}

/** The warehouse takes a signed parcel over; late goods open their bill for receipt again. Rule: events#e02. */
export default function AcceptPage({ menuNo, id = '' }: PageProps) {
  const translate = useTranslate();
  const navigate = useNavigate();
  const notices = useNotices();
  const labelOf = useLabelOf();
  const { data: arrival, error } = useRecord<Arrival>('rmaArrivalBill', id);
  useTabName(arrival?.abId);
  const { submit, sending, problem } = useSubmit(accept);
  const [done, setDone] = useState(false);
  const mayAccept = arrival?.status === ArrivalStatus.Signed && !done;

  const press = async () => {
    if (!arrival || !mayAccept || sending) return;
    const answer = await submit({ id: arrival.id });
    if (!answer) return;
    setDone(true);
    notices.success(translate('stations.accept.done', { no: arrival.receiveShipNo }));
    void navigate(`/${menuNo}`);
  };

  return (
    <FormFrame
      menuNo={menuNo}
      title={translate('stations.accept.title')}
      problem={problem || error}
      primary={{ label: translate('stations.accept.do'), press: () => void press(), disabled: !mayAccept || sending }}
    >
      {arrival && (
        <Panel title={arrival.abId}>
          <FactGrid
            facts={[
              { label: translate('stations.field.receiveShipNo'), value: arrival.receiveShipNo, code: true },
              { label: translate('stations.field.receivePackageCount'), value: arrival.receivePackageCount },
              { label: translate('stations.field.mtbId'), value: arrival.mtbId, code: true },
              { label: translate('stations.field.status'), value: labelOf('arrivalStatus', arrival.status) },
              { label: translate('stations.field.remark'), value: arrival.remark },
            ]}
          />
        </Panel>
      )}
      {arrival && arrival.status !== ArrivalStatus.Signed && (
        <Alert severity="info">{translate('stations.accept.before')}</Alert>
      )}
    </FormFrame>
  );
}
