import Box from '@mui/material/Box';
import MuiLink from '@mui/material/Link';
import { useTranslate } from 'ra-core';
import { Link } from 'react-router-dom';
import { Panel } from '#app/parts/Facts.tsx';
import { codeSx, tabularSx } from '#app/theme.ts';

export interface SignedParcel {
  id: number;
  receiveShipNo: string;
  receivePackageCount: number;
  /** The bill that waits for this parcel, if one does. */
  mtbId: string | null;
}

interface Props {
  parcels: readonly SignedParcel[];
  isLarge: boolean;
  /** Where a parcel that no bill waits for is registered, for those who may. */
  registerAddress: ((receiveShipNo: string) => string) | undefined;
}

/** What was signed for since this page was opened, newest first. */
export function SignedParcels({ parcels, isLarge, registerAddress }: Props) {
  const translate = useTranslate();
  const packages = parcels.reduce((sum, it) => sum + it.receivePackageCount, 0);
  return (
    <Panel title={translate('stations.signFor.signed')}>
      <Box sx={{ ...tabularSx, fontSize: 48, lineHeight: '56px', fontWeight: 600 }}>{parcels.length}</Box>
      <Box sx={{ fontSize: 12, color: 'text.secondary', mb: 3 }}>
        {translate('stations.signFor.packages', { smart_count: packages })}
      </Box>
      {parcels.map((it) => (
        <Box
          key={it.id}
          sx={{ display: 'flex', gap: 3, alignItems: 'baseline', py: 2, borderTop: 1, borderColor: 'divider' }}
        >
          <Box component="span" sx={{ ...codeSx, fontSize: isLarge ? 20 : undefined, fontWeight: 600 }}>
            {it.receiveShipNo}
          </Box>
          <Box component="span" sx={{ ...tabularSx, whiteSpace: 'nowrap' }}>
            × {it.receivePackageCount}
          </Box>
          <Box
            component="span"
            sx={{
              flex: 1,
              textAlign: 'right',
              color: it.mtbId ? 'text.secondary' : 'warning.main',
              fontSize: isLarge ? 18 : 12,
            }}
          >
            {it.mtbId ?? translate('stations.signFor.noBill')}
            {it.mtbId === null && registerAddress && (
              <MuiLink
                component={Link}
                to={registerAddress(it.receiveShipNo)}
                aria-label={translate('stations.signFor.registerNo', { no: it.receiveShipNo })}
                sx={{ display: 'block' }}
              >
                {translate('stations.signFor.register')}
              </MuiLink>
            )}
          </Box>
        </Box>
      ))}
    </Panel>
  );
}
