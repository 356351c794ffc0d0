import type { ReactNode } from 'react';
import Box from '@mui/material/Box';
import { useTranslate } from 'ra-core';
import { Panel } from '#app/parts/Facts.tsx';
import { usePartFacts } from '#app/parts/usePartFacts.ts';
import { codeSx } from '#app/theme.ts';
import type { DataOf } from '#domain/call.ts';
import type { validateSn } from './contract.ts';

type Unit = DataOf<typeof validateSn>;

interface Props {
  unit: Unit;
  /** How many wait behind it. */
  waiting: number;
  /** The part that the record is about. */
  partSn: string;
  onPart: (sn: string) => void;
  children?: ReactNode;
}

/** The unit in work: what the tests found on it, and its parts, one of which the record is about. */
export function RepairFacts({ unit, waiting, partSn, onPart, children }: Props) {
  const translate = useTranslate();
  const partFacts = usePartFacts();
  const { sn, item, mtbId, checkIssueCodes, lastFailIssueCodes, components } = unit;
  const found = [
    { label: translate('stations.field.checkCodes'), codes: checkIssueCodes },
    { label: translate('stations.field.failCodes'), codes: lastFailIssueCodes },
  ].filter((it) => it.codes.length > 0);
  return (
    <Panel isDense title={translate('stations.unit')}>
      <Box sx={factsSx}>
        <div className="sn">{sn}</div>
        <div className="what">{[item.name, item.salesCode, mtbId].filter(Boolean).join(' · ')}</div>
        {found.map(({ label, codes }) => (
          <div key={label}>
            <div className="label">{label}</div>
            {codes.map((it) => (
              <div key={it.codeId} className="found">
                <span className="code">{it.code}</span> {it.name}
              </div>
            ))}
          </div>
        ))}
        {components.length > 0 && (
          <div role="group" aria-label={translate('stations.repair.parts')}>
            <div className="label">{translate('stations.repair.parts')}</div>
            <div className="parts">
              {partFacts(components).map(({ label, value }) => (
                <button key={label} type="button" aria-pressed={value === partSn} onClick={() => onPart(String(value))}>
                  <span className="label">{label}</span>
                  <span className="code">{value}</span>
                </button>
              ))}
            </div>
          </div>
        )}
        {waiting > 0 && <div className="waiting">{translate('stations.waiting', { smart_count: waiting })}</div>}
      </Box>
      {children}
    </Panel>
  );
}

const factsSx = {
  display: 'flex',
  flexDirection: 'column',
  gap: '6px',
  fontSize: 13,
  lineHeight: '20px',
  '& .sn': {
    ...codeSx,
    fontSize: 22,
    fontWeight: 600,
    lineHeight: '28px',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
  },
  '& .what': { color: 'text.secondary', overflowWrap: 'anywhere' },
  '& .label': { fontSize: 12, lineHeight: '18px', color: 'text.secondary' },
  '& .found': { overflowWrap: 'anywhere' },
  '& .code': codeSx,
  '& .found .code': { fontWeight: 600 },
  '& .waiting': { color: 'info.main' },
  '& .parts': { maxHeight: 160, overflowY: 'auto' },
  '& button': {
    display: 'flex',
    alignItems: 'center',
    gap: 2,
    width: 1,
    height: 26,
    px: 2,
    border: 0,
    borderRadius: '4px',
    bgcolor: 'transparent',
    color: 'inherit',
    font: 'inherit',
    textAlign: 'left',
    cursor: 'pointer',
    '& .label': { flex: '0 0 40%', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
    '&:hover': { bgcolor: 'action.hover' },
    '&[aria-pressed=true]': { bgcolor: 'action.selected', fontWeight: 600 },
    '&:focus-visible': { outline: '2px solid', outlineColor: 'primary.light', outlineOffset: -2 },
  },
} as const;
