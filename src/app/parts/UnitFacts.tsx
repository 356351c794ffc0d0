import type { ReactNode } from 'react';
import Box from '@mui/material/Box';
import { useTranslate } from 'ra-core';
import { type Fact, FactGrid, Panel } from '#app/parts/Facts.tsx';
import { codeSx } from '#app/theme.ts';

interface Props {
  /** The unit in work, if there is one. */
  sn: string | undefined;
  name?: string;
  facts: readonly Fact[];
  waiting: number;
  children?: ReactNode;
}

/** The one unit that is worked on: its SN large, what it is, and how many wait behind it. */
export function UnitFacts({ sn, name, facts, waiting, children }: Props) {
  const translate = useTranslate();
  return (
    <Panel title={translate('stations.unit')}>
      <Box
        sx={{ ...codeSx, fontSize: 22, fontWeight: 600, minHeight: 32, overflow: 'hidden', textOverflow: 'ellipsis' }}
      >
        {sn ?? (
          <Box
            component="span"
            sx={{
              color: 'text.secondary',
              fontFamily: (it) => it.typography.fontFamily,
              fontWeight: 400,
              fontSize: 18,
            }}
          >
            {translate('stations.scanFirstUnit')}
          </Box>
        )}
      </Box>
      <Box sx={{ color: 'text.secondary', minHeight: 24, mb: 3 }}>{name}</Box>
      {sn !== undefined && <FactGrid facts={facts} />}
      {waiting > 0 && (
        <Box sx={{ mt: 3, color: 'info.main' }}>{translate('stations.waiting', { smart_count: waiting })}</Box>
      )}
      {children}
    </Panel>
  );
}
