import type { ReactNode } from 'react';
import Accordion from '@mui/material/Accordion';
import AccordionDetails from '@mui/material/AccordionDetails';
import AccordionSummary from '@mui/material/AccordionSummary';
import Box from '@mui/material/Box';
import ExpandMore from '@mui/icons-material/ExpandMore';
import { useTranslate } from 'ra-core';
import { Images } from '#app/fields/Images.tsx';
import { FactGrid } from '#app/parts/Facts.tsx';
import { SnLink } from '#app/parts/SnLink.tsx';
import { useBaseData } from '#app/parts/useLookup.ts';
import { usePartFacts } from '#app/parts/usePartFacts.ts';
import { codeSx } from '#app/theme.ts';
import type { DataOf } from '#domain/call.ts';
import { allPartsTypes, allRepairMethods } from '#domain/lookups.ts';
import type { loadScrapRepair } from './contract.ts';

type Bill = DataOf<typeof loadScrapRepair>;

/** What came back of a bill: a row a main SN, which opens to what was done for it. Rule: scrap-repair#detail. */
export function AcceptedUnits({ units }: { units: Bill['unitList'] }) {
  const translate = useTranslate();
  if (units.length === 0) {
    return <Box sx={{ color: 'text.secondary' }}>{translate('bills.scrapRepair.noUnits')}</Box>;
  }
  return (
    <div>
      {units.map((unit, i) => (
        <Accordion
          key={unit.productSn}
          disableGutters
          variant="outlined"
          defaultExpanded={i === 0 && units.length === 1}
          slotProps={{ heading: { component: 'h3' } }}
          sx={{ '&:not(:first-of-type)': { borderTop: 0 } }}
        >
          <AccordionSummary expandIcon={<ExpandMore />}>
            <Box
              sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 4, rowGap: 1, minWidth: 0, alignItems: 'baseline' }}
            >
              <Box component="span" sx={{ ...codeSx, fontWeight: 600 }}>
                {unit.productSn}
              </Box>
              <span>{unit.name}</span>
              <Box component="span" sx={{ color: 'text.secondary' }}>
                {unit.checkIssueCodes.map((it) => `${it.code} ${it.name}`).join(', ')}
              </Box>
            </Box>
          </AccordionSummary>
          <AccordionDetails sx={{ display: 'grid', gap: 4 }}>
            <UnitDetails unit={unit} />
          </AccordionDetails>
        </Accordion>
      ))}
    </div>
  );
}

function UnitDetails({ unit }: { unit: Bill['unitList'][number] }) {
  const translate = useTranslate();
  const partFacts = usePartFacts();
  const partsTypes = useBaseData(allPartsTypes, {}).data?.items ?? [];
  const methods = useBaseData(allRepairMethods, {}).data?.items ?? [];
  const nameIn = (items: readonly { value: string; name: string }[], value: string) =>
    items.find((it) => it.value === value)?.name ?? value;
  return (
    <>
      <Piece title={translate('bills.scrapRepair.main')}>
        <SnLink sn={unit.productSn} />
      </Piece>
      <Piece title={translate('bills.scrapRepair.auxiliary')}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 4, rowGap: 1 }}>
          {unit.assistSnList.map((sn) => (
            <SnLink key={sn} sn={sn} />
          ))}
        </Box>
      </Piece>
      <Piece title={translate('stations.repair.rows')}>
        <Box component="ol" sx={{ m: 0, pl: 4, display: 'grid', gap: 2 }}>
          {unit.repairInfoList.map((it, i) => (
            <li key={i}>
              {nameIn(partsTypes, it.partsType)} · {nameIn(methods, it.repairMethod)}
              <Box component="span" sx={{ ...codeSx, color: 'text.secondary', ml: 2 }}>
                {[it.codes.join(', '), it.slot, it.replaceSn && `→ ${it.replaceSn}`].filter(Boolean).join(' · ')}
              </Box>
              {it.spendCount !== null && ` × ${it.spendCount}`}
              {it.repairMarking && <div>{it.repairMarking}</div>}
              {it.urls.length > 0 && <Images urls={it.urls} label={translate('stations.repair.pictures')} />}
            </li>
          ))}
        </Box>
      </Piece>
      <Piece title={translate('stations.assemble.parts')}>
        <FactGrid
          facts={partFacts(unit.assembleInfoList).map((it, i) => {
            const { componentSn, qrCodeNum } = unit.assembleInfoList[i] ?? { componentSn: '', qrCodeNum: null };
            const value = (
              <>
                {componentSn}
                {qrCodeNum && (
                  <Box component="span" sx={{ display: 'block', fontSize: 12, color: 'text.secondary' }}>
                    {qrCodeNum}
                  </Box>
                )}
              </>
            );
            return { ...it, value };
          })}
        />
      </Piece>
    </>
  );
}

const Piece = ({ title, children }: { title: string; children: ReactNode }) => (
  <Box component="section" aria-label={title}>
    <Box component="h4" sx={{ m: 0, mb: 1, fontSize: 12, fontWeight: 400, color: 'text.secondary' }}>
      {title}
    </Box>
    {children}
  </Box>
);
