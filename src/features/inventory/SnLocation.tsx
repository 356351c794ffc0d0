import type { ReactNode } from 'react';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import { useTranslate } from 'ra-core';
import { toneOf } from '#app/fields/tones.ts';
import { Moment } from '#app/parts/cells.tsx';
import { FactGrid, Panel } from '#app/parts/Facts.tsx';
import { useLabelOf, useOptionLists } from '#app/parts/optionLabels.ts';
import { BillLink, SnLink } from '#app/parts/SnLink.tsx';
import { codeSx } from '#app/theme.ts';
import type { DataOf } from '#domain/call.ts';
import { Node } from '#domain/nodes.ts';
import { isWaybill } from '#domain/waybill.ts';
import type { viewHistory } from './contract.ts';
import { boundAt } from './rules.ts';

export type Life = DataOf<typeof viewHistory>;
type Unit = NonNullable<Life['unit']>;

/** The lists of the bills that speak for a unit: what ends a hold is done there. */
const billsOf: Record<string, string> = {
  scrap: 'rmaCheckBillList',
  nofault: 'rmaCheckBillList',
  transfer: 'rmaStockTransferBillList',
  scrapRepair: 'rmaScrapRepairBillList',
  consumed: 'rmaScrapRepairBillList',
};

const colours = {
  done: 'success.main',
  waits: 'warning.main',
  refused: 'error.main',
  work: 'info.main',
  closed: 'text.secondary',
} as const;

/** Where the unit is, to be read from two metres; below it what may be done next. */
export function SnLocation({ life, children }: { life: Life; children: ReactNode }) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const { unit, archive } = life;
  const [holder] = boundAt(life.holders, null);
  const { nodes } = useOptionLists();
  const tone = unit && toneOf(nodes, unit.ivyId);
  const colour = tone ? colours[tone] : 'text.secondary';
  const away = holder ? 'asPart' : 'notHere';
  // What is under way stands nowhere, and is not simply gone.
  const outside = unit?.held ? `held.${unit.held}` : away;
  const name = unit?.itemName ?? archive?.itemName;
  return (
    <Box
      component="section"
      aria-label={translate('stations.history.now')}
      sx={{
        border: 1,
        borderColor: 'divider',
        borderLeft: 4,
        borderLeftColor: colour,
        borderRadius: 1,
        bgcolor: 'background.paper',
        p: 4,
        display: 'grid',
        gap: 3,
      }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 4, rowGap: 2 }}>
        <Box sx={{ fontSize: 28, lineHeight: '36px', fontWeight: 600, color: colour }}>
          {unit?.ivyId ? labelOf('nodes', unit.ivyId) : translate(`stations.history.${outside}`)}
        </Box>
        {holder && <SnLink sn={holder.deviceSn} />}
        {unit?.held && (
          <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2 }}>
            {unit.ivyId && (
              <Chip size="small" color="warning" label={translate(`stations.history.held.${unit.held}`)} />
            )}
            {unit.heldBy && <BillLink menuNo={billsOf[unit.held] ?? ''} id={unit.heldBy} />}
            {unit.heldSince && <Moment at={unit.heldSince} />}
          </Box>
        )}
        {unit?.ivyId === Node.Shipped && (unit.deliverTime || unit.deliverShipNo) && (
          <Box sx={{ color: 'text.secondary' }}>
            {unit.deliverTime && <Moment at={unit.deliverTime} />} {isWaybill(unit.deliverShipNo) && unit.deliverShipNo}
          </Box>
        )}
      </Box>
      {life.formerSns.length > 0 && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, rowGap: 1 }}>
          <Box component="span" sx={{ color: 'text.secondary' }}>
            {translate('stations.history.formerSns')}
          </Box>
          {life.formerSns.map((sn) => (
            <Box key={sn} component="span" sx={codeSx}>
              {sn}
            </Box>
          ))}
        </Box>
      )}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 4, rowGap: 1, color: 'text.secondary' }}>
        {unit && <span>{unit.siteName ?? unit.siteId}</span>}
        {unit?.subinventoryCode && <span>{labelOf('subinventory', unit.subinventoryCode)}</span>}
        {name && <span>{name}</span>}
        {unit?.mtbId && (
          <span>
            <BillLink menuNo="rmaMaintainBillList" id={unit.mtbId} /> {unit.customer}
          </span>
        )}
      </Box>
      {children}
    </Box>
  );
}

/** What its bill and its item say of the unit; a unit on no bill has less to tell. */
export function SnFacts({ unit }: { unit: Unit }) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const field = (name: string) => translate(`stations.field.${name}`);
  const { stockup } = unit;
  const facts = [
    { label: field('salesCode'), value: unit.salesCode, code: true },
    { label: field('type'), value: labelOf('goodsType', unit.type) },
    { label: field('customer'), value: unit.customer },
    { label: field('billStatus'), value: labelOf('billStatus', unit.billStatus) },
    { label: field('warranty'), value: labelOf('warranty', unit.warranty) },
    { label: field('returness'), value: labelOf('returness', unit.returness) },
    { label: field('maintains'), value: unit.maintains },
    { label: field('depreciation'), value: labelOf('depreciation', unit.depreciation) },
    { label: field('deliverStatus'), value: labelOf('deliverStatus', unit.deliverStatus) },
    { label: field('deliverPriority'), value: labelOf('deliverPriority', unit.deliverPriority) },
    {
      label: field('skbId'),
      value: stockup && (
        <>
          <BillLink menuNo="rmaStockupBillList" id={stockup.skbId} />
          <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{labelOf('stockupStatus', stockup.status)}</Box>
        </>
      ),
    },
    { label: field('shelf'), value: labelOf('subinventory', unit.subinventoryCode) },
    { label: field('storageType'), value: labelOf('storageType', unit.storageType) },
    { label: field('powerSn'), value: unit.powerSn && <SnLink sn={unit.powerSn} /> },
  ];
  return (
    <Panel title={translate('stations.history.facts')}>
      <FactGrid hidesEmpty facts={facts} />
    </Panel>
  );
}

/** What the factory's archive says of the SN. */
export function SnArchive({ archive }: Pick<Life, 'archive'>) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const field = (name: string) => translate(`stations.field.${name}`);
  const day = (at: number | null | undefined) => (at ? <Moment at={at} withTime={false} /> : null);
  return (
    <Panel title={translate('stations.history.archive')}>
      {archive ? (
        <FactGrid
          facts={[
            { label: field('salesCode'), value: archive.salesCode, code: true },
            { label: field('origin'), value: labelOf('snOrigin', archive.origin) },
            { label: field('productOrder'), value: archive.productOrder, code: true },
            { label: field('customer'), value: archive.customer },
            { label: field('outTime'), value: day(archive.outTime) },
            { label: field('warrantyUntil'), value: day(archive.warrantyUntil) },
          ]}
        />
      ) : (
        translate('stations.history.notInArchive')
      )}
    </Panel>
  );
}
