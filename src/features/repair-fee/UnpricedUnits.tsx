import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import MuiLink from '@mui/material/Link';
import { styled } from '@mui/material/styles';
import { createPathOf } from '#app/engine/given.ts';
import { valueStyles } from '#app/engine/TableFrame.tsx';
import { CodeCell } from '#app/fields/Cell.tsx';
import { workshopZone } from '#app/fields/format.ts';
import { LineTable } from '#app/parts/LineTable.tsx';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import { SnLink } from '#app/parts/SnLink.tsx';
import { useUser } from '#app/session.ts';
import type { DataOf } from '#domain/call.ts';
import { dayFromSql } from '#domain/day.ts';
import type { unpricedUnits } from './contract.ts';
import { MissingPrice } from './rules.ts';

type Units = DataOf<typeof unpricedUnits>;
type Unit = Units['items'][number] & { id: number };

/** A new price mends these: of the others there is one price too many, or one that waits to be passed. */
const missing: readonly string[] = [MissingPrice.None, MissingPrice.NotYet, MissingPrice.Expired];

/** The units that a settlement will find no price for, why, and the way to the price that is missing. Rule: money#missing-prices. */
export function UnpricedUnits({ found: { total, items } }: { found: Units }) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const user = useUser();
  const mayPropose = user?.access.includes('rmaPriceBill:create') === true;
  // A price is made for the site at which its maker works.
  const isMissing = (it: Unit) => missing.includes(it.reason) && it.siteId === user?.siteId;
  if (total === 0)
    return (
      <Alert severity="success" role="status">
        {translate('bills.missing.none')}
      </Alert>
    );
  const cells: Record<string, (it: Unit) => ReactNode> = {
    sn: ({ sn }) => sn && <SnLink sn={sn} />,
    site: (it) => it.siteName,
    machineType: (it) => it.machineType,
    repairProject: (it) => labelOf('repairProjects', it.repairProject),
    warranty: (it) => labelOf('warranty', it.warranty),
    repairType: (it) => labelOf('repairType', it.repairType),
    day: (it) => it.day,
    why: (it) => (
      <>
        <span className="chip waits">{translate(`bills.missing.reason.${it.reason}`)}</span>{' '}
        {it.prbId && <CodeCell field="prbId" text={it.prbId} />}
      </>
    ),
    propose: (it) =>
      isMissing(it) && (
        <MuiLink component={Link} to={createPathOf('rmaPriceBillList', priceFor(it))}>
          {translate('bills.missing.new')}
        </MuiLink>
      ),
  };
  const columns = Object.entries(cells)
    .filter(([name]) => name !== 'propose' || mayPropose)
    .map(([name, cell]) => ({ name, label: translate(`bills.missing.${name}`), cell }));
  const label = translate('bills.missing.title');
  return (
    <Values>
      <Alert severity="warning" role="status">
        {translate(total > items.length ? 'bills.missing.first' : 'bills.missing.all', {
          smart_count: total,
          count: items.length,
        })}
      </Alert>
      <Box component="section" aria-label={label} sx={{ minWidth: 0 }}>
        <LineTable
          label={label}
          columns={columns}
          rows={items.map((it, id) => ({ ...it, id }))}
          cell={({ cell }, row) => cell(row)}
        />
      </Box>
    </Values>
  );
}

/** What the form of a price begins with. */
const priceFor = ({ machineType, repairProject, warranty, repairType, day }: Unit) => ({
  ...{ machineType, repairProject, warranty, repairType },
  effectiveDate: dayFromSql(day, workshopZone()),
});

const Values = styled('div')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  gap: 12,
  minWidth: 0,
  ...valueStyles(theme),
}));
