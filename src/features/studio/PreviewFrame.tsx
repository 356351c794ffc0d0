import { useEffect, useRef, useState } from 'react';
import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { languages, type Language } from '#domain/words.ts';
import { EmptyState } from '#app/parts/EmptyState.tsx';
import { previewName, tellPreview } from '#app/preview.ts';
import { useLanguage } from '#app/session.ts';

interface Props {
  menuNo: string;
  /** 0 while there is no draft: then the list is as it is published. */
  draftId: number;
  /** When what is saved was found to be right or wrong; 0 before anything was saved. */
  checkedAt: number;
  /** Whether it is right is known. */
  isChecked: boolean;
  /** The form is what is edited. */
  isForm: boolean;
  /** What is wrong can't be shown: the last that could be stays. */
  isBroken: boolean;
  canAdd: boolean;
  /** The menu is what is edited: it stands beside the page. */
  hasMenu?: boolean;
}

/** A phone, a tablet, a desk: what a page is drawn for, in pixels. */
const widths = { phone: 390, tablet: 834, desk: 1280 } as const;
type Width = keyof typeof widths;
const HEIGHT = 720;

/** The real list and its form with real rows, as the draft would make them, in a window of their own. Rule: definitions#preview. */
export function PreviewFrame(props: Props) {
  const { menuNo, draftId, checkedAt, isChecked, isForm, isBroken, canAdd, hasMenu = false } = props;
  const translate = useTranslate();
  const say = (key: string) => translate(`studio.preview.${key}`);
  const spoken = useLanguage();
  const [language, setLanguage] = useState<Language>(spoken);
  const [width, setWidth] = useState<Width>('tablet');
  const [view, setView] = useState<'list' | 'form'>('list');
  const [wasForm, setWasForm] = useState(isForm);
  if (wasForm !== isForm) {
    setWasForm(isForm);
    setView(isForm && canAdd ? 'form' : 'list');
  }
  // A draft that was left with mistakes has nothing to show before they are mended.
  const [wasRight, setRight] = useState(false);
  if (!wasRight && isChecked && !isBroken) setRight(true);
  const frame = useRef<HTMLIFrameElement>(null);
  const [room, setRoom] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!box.current) return undefined;
    const observer = new ResizeObserver(([it]) => setRoom(it?.contentRect.width ?? 0));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (checkedAt > 0 && !isBroken) tellPreview(frame.current);
  }, [checkedAt, isBroken]);
  const scale = room === 0 ? 1 : Math.min(1, room / widths[width]);
  const choices = <Value extends string>(
    label: string,
    value: Value,
    all: readonly Value[],
    set: (to: Value) => void,
  ) => (
    <ToggleButtonGroup
      exclusive
      size="small"
      aria-label={label}
      value={value}
      onChange={(_, to: Value | null) => to && set(to)}
    >
      {all.map((it) => (
        <ToggleButton key={it} value={it} sx={{ textTransform: 'none', fontSize: 13, height: 32, px: 3 }}>
          {say(it)}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
  return (
    <Box
      component="section"
      aria-label={say('title')}
      sx={{ minWidth: 0, display: 'flex', flexDirection: 'column', gap: 2, position: { lg: 'sticky' }, top: 0 }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        {canAdd && choices(say('view'), view, ['list', 'form'], setView)}
        {choices(say('width'), width, Object.keys(widths) as Width[], setWidth)}
        {choices(say('language'), language, languages, setLanguage)}
      </Box>
      {isBroken && <Alert severity="info">{say('broken')}</Alert>}
      <Box
        ref={box}
        sx={{
          border: 1,
          borderColor: 'divider',
          borderRadius: 1,
          overflow: 'hidden',
          height: HEIGHT * scale,
          bgcolor: 'background.paper',
        }}
      >
        {draftId === 0 && <EmptyState text={say('none')} more={say('noneHint')} />}
        {draftId > 0 && wasRight && (
          <Box
            component="iframe"
            // A window of another draft or language is another one.
            key={`${draftId} ${language} ${view}`}
            ref={frame}
            title={say('title')}
            name={previewName({ draftId, language, hasMenu })}
            src={`/${menuNo}${view === 'form' ? '/create' : ''}`}
            sx={{
              width: widths[width],
              height: HEIGHT,
              border: 0,
              transformOrigin: '0 0',
              transform: `scale(${scale})`,
            }}
          />
        )}
      </Box>
    </Box>
  );
}
