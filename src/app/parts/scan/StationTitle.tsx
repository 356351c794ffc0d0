import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import ArrowBack from '@mui/icons-material/ArrowBack';
import { useTranslate } from 'ra-core';
import { useNavigate } from 'react-router-dom';
import { CardButton } from '#app/parts/scan/CardButton.tsx';
import type { CardContents } from '#app/parts/scan/CommandCard.tsx';
import { VolumeControl } from '#app/parts/scan/VolumeControl.tsx';

interface Props {
  menuNo: string;
  title: string;
  /** Whose volume is set here; left out where nothing sounds. */
  userId?: string;
  /** What the printed card of this station offers; left out where there is none. */
  card?: CardContents;
}

/** The page's name, and the way back to its list. */
export function StationTitle({ menuNo, title, userId, card }: Props) {
  const translate = useTranslate();
  const navigate = useNavigate();
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, px: 4, height: 56, flex: 'none' }}>
      <Button startIcon={<ArrowBack />} onClick={() => navigate(`/${menuNo}`)}>
        {translate('stations.back')}
      </Button>
      <Typography variant="h1" sx={{ flex: 1, minWidth: 0 }} noWrap>
        {title}
      </Typography>
      {card && <CardButton title={title} contents={card} />}
      {userId !== undefined && <VolumeControl userId={userId} />}
    </Box>
  );
}
