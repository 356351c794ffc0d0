import { useState } from 'react';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Slider from '@mui/material/Slider';
import VolumeOff from '@mui/icons-material/VolumeOff';
import VolumeUp from '@mui/icons-material/VolumeUp';
import { useTranslate } from 'ra-core';
import { keepVolume, play, type Sound, volumeOf } from '#app/parts/scan/sounds.ts';

const sounds: readonly Sound[] = ['ok', 'duplicate', 'wrong', 'refused'];

/** How loud the verdicts are for this user, and what each sounds like. */
export function VolumeControl({ userId }: { userId: string }) {
  const translate = useTranslate();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [volume, setVolume] = useState(() => volumeOf(userId));
  const change = (next: number) => {
    setVolume(next);
    keepVolume(userId, next);
  };
  return (
    <>
      <IconButton
        size="small"
        aria-label={translate('stations.sound.volume')}
        onClick={(it) => setAnchor(it.currentTarget)}
      >
        {volume === 0 ? <VolumeOff fontSize="small" /> : <VolumeUp fontSize="small" />}
      </IconButton>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        <Box sx={{ px: 4, pt: 2, width: 200 }}>
          <Slider
            size="small"
            min={0}
            max={1}
            step={0.1}
            value={volume}
            aria-label={translate('stations.sound.volume')}
            onChange={(_, value) => change(value as number)}
            onChangeCommitted={() => play('ok', volume)}
          />
        </Box>
        {sounds.map((it) => (
          <MenuItem key={it} onClick={() => play(it, volume)}>
            {translate(`stations.sound.${it}`)}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
