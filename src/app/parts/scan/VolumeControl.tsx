import { useState } from 'react';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Divider from '@mui/material/Divider';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import FormControlLabel from '@mui/material/FormControlLabel';
import Slider from '@mui/material/Slider';
import Switch from '@mui/material/Switch';
import VolumeOff from '@mui/icons-material/VolumeOff';
import VolumeUp from '@mui/icons-material/VolumeUp';
import { useTranslate } from 'ra-core';
import { useNavigate } from 'react-router-dom';
import { canSpeak, saveSpeech, speak, wantsSpeech } from '#app/parts/scan/speech.ts';
import { useLanguage, useUser } from '#app/session.ts';
import { isOpenTo } from '#app/shell/Guard.tsx';
import { saveVolume, play, type Sound, readVolume } from '#app/parts/scan/sounds.ts';

const sounds: readonly Sound[] = ['ok', 'duplicate', 'wrong', 'refused', 'kept'];

/** How loud the verdicts are for this user, what each sounds like, whether their reasons are said aloud; and where labels are tried. */
export function VolumeControl({ userId }: { userId: string }) {
  const translate = useTranslate();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [volume, setVolume] = useState(() => readVolume(userId));
  const [speaks, setSpeaks] = useState(() => wantsSpeech(userId));
  const language = useLanguage();
  const navigate = useNavigate();
  const mayTry = isOpenTo(['ubsLabelRule:tryLabel'], useUser()?.access ?? []);
  const changeSpeech = (on: boolean) => {
    setSpeaks(on);
    saveSpeech(userId, on);
    if (on) speak(translate('stations.sound.speech'), language, volume);
  };
  const change = (next: number) => {
    setVolume(next);
    saveVolume(userId, next);
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
            onChange={(_, value) => change(value)}
            onChangeCommitted={() => play('ok', userId, volume)}
          />
          {canSpeak() && (
            <FormControlLabel
              control={<Switch size="small" checked={speaks} onChange={(_, on) => changeSpeech(on)} />}
              label={translate('stations.sound.speech')}
              sx={{ mb: 2 }}
            />
          )}
        </Box>
        {sounds.map((it) => (
          <MenuItem key={it} onClick={() => play(it, userId, volume)}>
            {translate(`stations.sound.${it}`)}
          </MenuItem>
        ))}
        {mayTry && <Divider />}
        {mayTry && (
          <MenuItem onClick={() => void navigate('/ubsLabelRuleList/tryLabel')}>
            {translate('labels.try.title')}
          </MenuItem>
        )}
      </Menu>
    </>
  );
}
