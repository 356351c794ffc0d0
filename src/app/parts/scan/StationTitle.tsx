import Box from '@mui/material/Box';
import { useTranslate } from 'ra-core';
import { useLocation } from 'react-router-dom';
import Fullscreen from '@mui/icons-material/Fullscreen';
import FullscreenExit from '@mui/icons-material/FullscreenExit';
import Typography from '@mui/material/Typography';
import { BackToList } from '#app/parts/BackToList.tsx';
import { IconAction } from '#app/parts/IconAction.tsx';
import { parsePageAddress } from '#app/shell/pageAddress.ts';
import { usePageNames } from '#app/shell/pageNames.ts';
import { CardButton } from '#app/parts/scan/CardButton.tsx';
import type { CardContents } from '#app/parts/scan/CommandCard.tsx';
import { StationTabs, type TabsProps } from '#app/parts/StationTabs.tsx';
import { VolumeControl } from '#app/parts/scan/VolumeControl.tsx';

interface Props {
  menuNo: string;
  /** What its command card is headed with. */
  title?: string;
  /** Whose volume is set here; left out where nothing sounds. */
  userId?: string;
  tabs?: TabsProps;
  /** What the printed card of this station offers; left out where there is none. */
  card?: CardContents;
  /** A station may stand alone, without menu and bars; then it draws its heading itself. */
  kiosk?: { isOn: boolean; toggle: () => void };
}

/** The way back to the list, the tabs, and what is set for the page; its name is the heading above. */
export function StationTitle({ menuNo, title = '', tabs, userId, card, kiosk }: Props) {
  const translate = useTranslate();
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: { xs: 'wrap', sm: 'nowrap' },
        alignItems: 'center',
        columnGap: 2,
        px: 4,
        pt: 1,
        minHeight: 44,
        flex: 'none',
      }}
    >
      {kiosk?.isOn ? <KioskHeading /> : <BackToList menuNo={menuNo} />}
      {tabs && (
        <Box sx={{ order: { xs: 1, sm: 0 }, flex: { xs: '1 0 100%', sm: 'none' }, minWidth: 0, ml: { sm: 4 } }}>
          <StationTabs {...tabs} />
        </Box>
      )}
      <Box sx={{ flex: 1 }} />
      {card && <CardButton title={title} contents={card} />}
      {userId !== undefined && <VolumeControl userId={userId} />}
      {kiosk && (
        <IconAction
          label={translate(`stations.kiosk.${kiosk.isOn ? 'leave' : 'enter'}`)}
          Icon={kiosk.isOn ? FullscreenExit : Fullscreen}
          onClick={kiosk.toggle}
        />
      )}
    </Box>
  );
}

/** What the breadcrumb's last part says otherwise. */
function KioskHeading() {
  const { view, one } = usePageNames(parsePageAddress(useLocation().pathname));
  return (
    <Typography variant="h1" noWrap>
      {view || one}
    </Typography>
  );
}
