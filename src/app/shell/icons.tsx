import AccountTreeOutlined from '@mui/icons-material/AccountTreeOutlined';
import BuildOutlined from '@mui/icons-material/BuildOutlined';
import CategoryOutlined from '@mui/icons-material/CategoryOutlined';
import CodeOutlined from '@mui/icons-material/CodeOutlined';
import FolderOutlined from '@mui/icons-material/FolderOutlined';
import Inventory2Outlined from '@mui/icons-material/Inventory2Outlined';
import LocalShippingOutlined from '@mui/icons-material/LocalShippingOutlined';
import MemoryOutlined from '@mui/icons-material/MemoryOutlined';
import MoveToInboxOutlined from '@mui/icons-material/MoveToInboxOutlined';
import PaymentsOutlined from '@mui/icons-material/PaymentsOutlined';
import PlaceOutlined from '@mui/icons-material/PlaceOutlined';
import QrCode2Outlined from '@mui/icons-material/QrCode2Outlined';
import QueryStatsOutlined from '@mui/icons-material/QueryStatsOutlined';
import RecyclingOutlined from '@mui/icons-material/RecyclingOutlined';
import SettingsOutlined from '@mui/icons-material/SettingsOutlined';
import SpeedOutlined from '@mui/icons-material/SpeedOutlined';
import type SvgIcon from '@mui/material/SvgIcon';

/** The names by which the menu asks for a picture. */
const icons: Record<string, typeof SvgIcon> = {
  intake: MoveToInboxOutlined,
  workflow: BuildOutlined,
  store: LocalShippingOutlined,
  inventory: Inventory2Outlined,
  sn: QrCode2Outlined,
  base: CategoryOutlined,
  item: AccountTreeOutlined,
  place: PlaceOutlined,
  code: CodeOutlined,
  finance: PaymentsOutlined,
  report: QueryStatsOutlined,
  semiconductor: MemoryOutlined,
  scrap: RecyclingOutlined,
  hashrate: SpeedOutlined,
  system: SettingsOutlined,
};

export const iconNames = Object.keys(icons);

export function MenuIcon({ name }: { name?: string }) {
  const Icon = (name && icons[name]) || FolderOutlined;
  return <Icon sx={{ fontSize: 20 }} aria-hidden />;
}
