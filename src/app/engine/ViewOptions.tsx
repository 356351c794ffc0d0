import { useState } from 'react';
import { useTranslate } from 'ra-core';
import IconButton from '@mui/material/IconButton';
import ListSubheader from '@mui/material/ListSubheader';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import DensityMediumOutlined from '@mui/icons-material/DensityMediumOutlined';
import { useDensity } from '#app/shell/appearance.ts';

/** How high the rows are, in every list. */
export function ViewOptions() {
  const translate = useTranslate();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { density, densities, setDensity } = useDensity();
  const label = translate('shell.list.density.label');
  return (
    <>
      <IconButton
        size="small"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <DensityMediumOutlined sx={{ fontSize: 18 }} />
      </IconButton>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        <ListSubheader sx={{ lineHeight: '32px', bgcolor: 'inherit' }}>{label}</ListSubheader>
        {densities.map((it) => (
          <MenuItem
            key={it}
            selected={it === density}
            onClick={() => {
              setAnchor(null);
              setDensity(it);
            }}
          >
            {translate(`shell.list.density.${it}`)}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
