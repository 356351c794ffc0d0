import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import { useTranslate } from 'ra-core';
import { Moment } from '#app/parts/cells.tsx';
import { FactGrid, Panel } from '#app/parts/Facts.tsx';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import type { PageProps } from '#app/parts/page.ts';
import { StationTitle } from '#app/parts/scan/StationTitle.tsx';
import { useLookup } from '#app/parts/useLookup.ts';
import { useRecord } from '#app/parts/useRecord.ts';
import { useReasonOf } from '#app/notify.ts';
import { codeSx } from '#app/theme.ts';
import { normaliseSn } from '#domain/sn.ts';
import { viewHistory } from './contract.ts';
import { SnEvents } from './SnEvents.tsx';
import { SnLink } from './SnLink.tsx';

/** A list opens the history by a row's id, everything else by the SN itself. */
const rowId = /^\d{1,10}$/;

/** The whole life of one SN in this house. Spec 3 "SN repair history". */
export default function HistoryPage({ menuNo, id = '' }: PageProps) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const reasonOf = useReasonOf();
  const row = useRecord<{ sn: string }>('rmaInventory', rowId.test(id) ? id : '');
  const sn = rowId.test(id) ? (row.data?.sn ?? (row.error ? normaliseSn(id) : '')) : normaliseSn(id);
  const { data, error } = useLookup(viewHistory, { sn }, { enabled: sn !== '', staleTime: 0 });
  const unit = data?.unit;
  const archive = data?.archive;
  const field = (name: string) => translate(`stations.field.${name}`);

  return (
    <Box sx={{ pb: 4 }}>
      <StationTitle menuNo={menuNo} title={translate('stations.history.title', { sn: data?.sn ?? id })} />
      <Box
        sx={{
          px: 4,
          display: 'grid',
          gap: 4,
          gridTemplateColumns: { xs: 'minmax(0,1fr)', md: 'minmax(0,2fr) minmax(0,1fr)' },
        }}
      >
        {error && <Alert severity="error">{reasonOf(error)}</Alert>}
        {data && (
          <>
            <Box sx={{ display: 'flex', flexDirection: 'column', gap: 4, minWidth: 0 }}>
              <Panel title={translate('stations.history.now')}>
                <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3, mb: 3 }}>
                  <Box sx={{ ...codeSx, fontSize: 22, fontWeight: 600 }}>{data.sn}</Box>
                  <Chip
                    size="small"
                    color="primary"
                    label={unit?.ivyId ? labelOf('nodes', unit.ivyId) : translate('stations.history.notHere')}
                  />
                  {unit?.held && (
                    <Chip size="small" color="warning" label={translate(`stations.history.held.${unit.held}`)} />
                  )}
                </Box>
                <FactGrid
                  facts={[
                    { label: field('salesCode'), value: unit?.salesCode ?? archive?.salesCode, code: true },
                    { label: field('itemName'), value: unit?.itemName ?? archive?.itemName },
                    { label: field('siteId'), value: unit?.siteName ?? unit?.siteId },
                    {
                      label: field('mtbId'),
                      value: unit?.mtbId && <BillLink id={unit.mtbRowId} mtbId={unit.mtbId} />,
                      code: true,
                    },
                    { label: field('deliverStatus'), value: labelOf('deliverStatus', unit?.deliverStatus) },
                    { label: field('warranty'), value: labelOf('warranty', unit?.warranty) },
                    { label: field('maintains'), value: unit?.maintains },
                    { label: field('depreciation'), value: labelOf('depreciation', unit?.depreciation) },
                    { label: field('shelf'), value: labelOf('subinventory', unit?.subinventoryCode) },
                    { label: field('storageType'), value: labelOf('storageType', unit?.storageType) },
                    {
                      label: field('powerSn'),
                      value: unit?.powerSn && <SnLink menuNo={menuNo} sn={unit.powerSn} />,
                      code: true,
                    },
                    {
                      label: field('boundTo'),
                      value: data.boundTo && <SnLink menuNo={menuNo} sn={data.boundTo} />,
                      code: true,
                    },
                  ]}
                />
              </Panel>
              <SnEvents events={data.events} />
            </Box>
            <Box component="aside" sx={{ display: 'flex', flexDirection: 'column', gap: 4, minWidth: 0 }}>
              <Panel title={translate('stations.history.archive')}>
                {archive ? (
                  <FactGrid
                    facts={[
                      { label: field('origin'), value: labelOf('snOrigin', archive.origin) },
                      { label: field('productOrder'), value: archive.productOrder, code: true },
                      { label: field('customer'), value: archive.customer },
                      {
                        label: field('outTime'),
                        value: archive.outTime && <Moment at={archive.outTime} withTime={false} />,
                      },
                      {
                        label: field('warrantyUntil'),
                        value: archive.warrantyUntil && <Moment at={archive.warrantyUntil} withTime={false} />,
                      },
                    ]}
                  />
                ) : (
                  translate('stations.history.notInArchive')
                )}
              </Panel>
              <Panel title={translate('stations.history.parts', { smart_count: data.components.length })}>
                {data.components.map((it) => (
                  <Box key={it.componentSn} sx={{ py: 1.5, borderTop: 1, borderColor: 'divider' }}>
                    <SnLink menuNo={menuNo} sn={it.componentSn} />
                    <Box sx={{ fontSize: 12, color: 'text.secondary' }}>
                      {labelOf('componentTypes', it.componentType)} {it.bindTime && <Moment at={it.bindTime} />}
                    </Box>
                  </Box>
                ))}
              </Panel>
            </Box>
          </>
        )}
      </Box>
    </Box>
  );
}

function BillLink({ id, mtbId }: { id: number | null; mtbId: string }) {
  return id === null ? mtbId : <SnLink menuNo="rmaMaintainBillList" view="detail" id={String(id)} sn={mtbId} />;
}
