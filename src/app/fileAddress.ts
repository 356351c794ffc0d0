import { configuration } from '#app/configuration.ts';
import type { Language } from '#domain/words.ts';

/**
 * Where a file of ours is read, or a picture that this page itself holds. Nothing for any other text: what somebody typed into
 * a field may lead out of the workshop.
 */
export function fileAddress(text: string): string | undefined {
  if (/^\/file\/[\w.-]+$/.test(text)) return configuration.baseUrl + text;
  return /^(blob:|data:image\/)/.test(text) ? text : undefined;
}

/** Where a paper is read by who reads in this language: what we wrote ourselves may be there in both. */
export function paperAddress(text: string, lang: Language): string | undefined {
  const address = fileAddress(text);
  return address && text.startsWith('/file/') ? `${address}?lang=${lang}` : address;
}
