import { configuration } from '#app/configuration.ts';

/**
 * Where a file of ours is read, or a picture that this page itself holds. Nothing for any other text: what somebody typed into
 * a field may lead out of the workshop.
 */
export function fileAddress(text: string): string | undefined {
  if (/^\/file\/[\w.-]+$/.test(text)) return configuration.baseUrl + text;
  return /^(blob:|data:image\/)/.test(text) ? text : undefined;
}
