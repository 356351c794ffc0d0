import { useTranslate } from 'ra-core';
import { notices } from '#app/notify.ts';
import { useLanguage, useUser } from '#app/session.ts';
import type { ScanRefusal } from '#app/parts/scan/scanner.ts';
import { play, readVolume } from '#app/parts/scan/sounds.ts';
import { speak, wantsSpeech } from '#app/parts/scan/speech.ts';

/** Why a scan was not taken, in words. */
export function useRefusalWords(): (why: ScanRefusal, text: string) => string {
  const translate = useTranslate();
  return (why, text) => translate(`shell.scanRefused.${why}`, { sn: text });
}

/** Tells aloud that a scan was not taken, where the page has no line for its verdict. */
export function useNotifyRefusal(): (why: ScanRefusal, text: string) => void {
  const wordsOf = useRefusalWords();
  const language = useLanguage();
  const userId = useUser()?.userId ?? '';
  return (why, text) => {
    const words = wordsOf(why, text);
    play('refused', userId);
    if (wantsSpeech(userId)) speak(words, language, readVolume(userId));
    notices.warning(words, { duration: SEEN });
  };
}

/** Long enough to be read by who looks up from the label. */
const SEEN = 15_000;
