import IconButton from '@mui/material/IconButton';
import type SvgIcon from '@mui/material/SvgIcon';

interface Props {
  /** What it does: read out, and shown when the pointer rests on it. */
  label: string;
  Icon: typeof SvgIcon;
  /** How large the icon is, in pixels. */
  size?: number;
  color?: 'primary';
  disabled?: boolean;
  onClick: () => void;
}

/** A small button of an icon alone. */
export function IconAction({ label, Icon, size = 20, ...rest }: Props) {
  return (
    <IconButton size="small" aria-label={label} title={label} {...rest}>
      <Icon sx={{ fontSize: size }} />
    </IconButton>
  );
}
