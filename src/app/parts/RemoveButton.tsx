import IconButton from '@mui/material/IconButton';
import Close from '@mui/icons-material/Close';

/** The cross on the corner of a tile, by which it is taken away; the tile says `position: relative`. */
export function RemoveButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <IconButton
      size="small"
      aria-label={label}
      onClick={onClick}
      sx={{
        position: 'absolute',
        top: -8,
        right: -8,
        p: 0.5,
        bgcolor: 'background.paper',
        border: 1,
        borderColor: 'divider',
      }}
    >
      <Close sx={{ fontSize: 14 }} />
    </IconButton>
  );
}
