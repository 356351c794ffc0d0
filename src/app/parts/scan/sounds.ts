export type Sound = 'ok' | 'duplicate' | 'wrong' | 'refused' | 'kept';

interface Tone {
  hertz: number;
  /** Milliseconds from the start of the sound. */
  from: number;
  lasts: number;
  wave: OscillatorType;
}

/** Told apart with the back to the screen: one high chirp, two even ones, a falling pair, one long low buzz; a soft tick. */
const tones: Record<Sound, readonly Tone[]> = {
  ok: [{ hertz: 1318, from: 0, lasts: 70, wave: 'sine' }],
  duplicate: [
    { hertz: 784, from: 0, lasts: 90, wave: 'triangle' },
    { hertz: 784, from: 140, lasts: 90, wave: 'triangle' },
  ],
  wrong: [
    { hertz: 523, from: 0, lasts: 140, wave: 'square' },
    { hertz: 311, from: 150, lasts: 220, wave: 'square' },
  ],
  refused: [{ hertz: 147, from: 0, lasts: 520, wave: 'sawtooth' }],
  kept: [{ hertz: 440, from: 0, lasts: 40, wave: 'sine' }],
};

export const LOUD = 0.6;
const keyOf = (userId: string) => `volume:${userId}`;

/** How loud this user wants it, 0 to 1; kept on this device. */
export function readVolume(userId: string): number {
  const saved = Number(localStorage.getItem(keyOf(userId)) ?? LOUD);
  return Number.isFinite(saved) ? Math.min(1, Math.max(0, saved)) : LOUD;
}

export const saveVolume = (userId: string, volume: number): void => localStorage.setItem(keyOf(userId), String(volume));

let context: AudioContext | undefined;

/** Makes the device ready, which takes longer than a scan, so that the first verdict need not wait for it. */
export function prepareSounds(): void {
  if (typeof AudioContext !== 'undefined') context ??= new AudioContext();
}

/** Plays the sound of a verdict as loud as this user wants it. A browser without sound, or one that forbids it, is silent. */
export function play(sound: Sound, userId: string, volume = readVolume(userId)): void {
  if (volume === 0) return;
  prepareSounds();
  if (!context) return;
  if (context.state === 'suspended') void context.resume();
  for (const tone of tones[sound]) playTone(context, tone, volume);
}

function playTone(audio: AudioContext, tone: Tone, volume: number): void {
  const start = audio.currentTime + tone.from / 1000;
  const end = start + tone.lasts / 1000;
  const gain = audio.createGain();
  // Square and sawtooth sound about twice as loud as a sine of the same height.
  const height = volume * (tone.wave === 'sine' || tone.wave === 'triangle' ? 0.5 : 0.22);
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(height, start + 0.005);
  gain.gain.setValueAtTime(height, end - 0.02);
  gain.gain.linearRampToValueAtTime(0, end);
  const oscillator = audio.createOscillator();
  oscillator.type = tone.wave;
  oscillator.frequency.setValueAtTime(tone.hertz, start);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(start);
  oscillator.stop(end);
}
