import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import ArrowBack from '@mui/icons-material/ArrowBack';
import { useTranslate } from 'ra-core';
import { useNavigate } from 'react-router-dom';
import { CardButton } from '#app/parts/scan/CardButton.tsx';
import type { CardContents } from '#app/parts/scan/CommandCard.tsx';
import { StationTabs, type TabsProps } from '#app/parts/StationTabs.tsx';
import { VolumeControl } from '#app/parts/scan/VolumeControl.tsx';

interface Props {
  menuNo: string;
  title: string;
  /** Whose volume is set here; left out where nothing sounds. */
  userId?: string;
  tabs?: TabsProps;
  /** What the printed card of this station offers; left out where there is none. */
  card?: CardContents;
}

/** The page's name, and the way back to its list. */
export function StationTitle({ menuNo, title, tabs, userId, card }: Props) {
  const translate = useTranslate();
  const navigate = useNavigate();
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: { xs: 'wrap', sm: 'nowrap' },
        alignItems: 'center',
        columnGap: 2,
        px: 4,
        minHeight: 56,
        flex: 'none',
      }}
    >
      <Button startIcon={<ArrowBack />} onClick={() => void navigate(`/${menuNo}`)}>
        {translate('stations.back')}
      </Button>
      <Typography variant="h1" sx={{ flex: tabs ? { xs: 1, sm: 'none' } : 1, minWidth: 0 }} noWrap>
        {title}
      </Typography>
      {tabs && (
        <Box sx={{ order: { xs: 1, sm: 0 }, flex: { xs: '1 0 100%', sm: 1 }, minWidth: 0, ml: { sm: 4 } }}>
          <StationTabs {...tabs} />
        </Box>
      )}
      {card && <CardButton title={title} contents={card} />}
      {userId !== undefined && <VolumeControl userId={userId} />}
    </Box>
  );
}
