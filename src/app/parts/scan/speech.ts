import type { Language } from '#domain/words.ts';

const keyOf = (userId: string) => `speech:${userId}`;
const voices: Record<Language, string> = { zh: 'zh-CN', en: 'en-US' };

export const canSpeak = (): boolean => 'speechSynthesis' in window;

/** Whether this user wants to hear the reasons; kept on this device, off until it is asked for. */
export const wantsSpeech = (userId: string): boolean => localStorage.getItem(keyOf(userId)) === 'on';

export const saveSpeech = (userId: string, on: boolean): void => localStorage.setItem(keyOf(userId), on ? 'on' : 'off');

/** Says a message in the user's language, word for word; what is still being said of an earlier scan is cut off. */
export function speak(text: string, language: Language, volume: number): void {
  if (!canSpeak() || volume === 0 || text === '') return;
  const utterance = new SpeechSynthesisUtterance(text);
  utterance.lang = voices[language];
  utterance.volume = volume;
  speechSynthesis.cancel();
  speechSynthesis.speak(utterance);
}
