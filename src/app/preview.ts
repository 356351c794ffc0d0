import { parseLanguage, type Language } from '#domain/words.ts';

/**
 * A window that shows lists as a draft would make them. It is told by its name, which nothing else shares with it, as
 * cookies and storage would. Rule: definitions#preview.
 */
interface Preview {
  draftId: number;
  language: Language;
  /** The menu is what is looked at: it stands beside the page. */
  hasMenu?: boolean;
}

const NAME = /^reflow-preview (\d+) (\w+)( menu)?$/;
const CHANGED = 'reflow-draft-changed';

export const previewName = ({ draftId, language, hasMenu }: Preview): string =>
  `reflow-preview ${draftId} ${language}${hasMenu ? ' menu' : ''}`;

/** What this window previews; undefined in every other one. */
export const preview: Preview | undefined = readPreview();

function readPreview(): Preview | undefined {
  const [, draftId, language, menu] = NAME.exec(window.name) ?? [];
  // A name outlives a page: a window of its own is none.
  if (draftId === undefined || window.parent === window) return undefined;
  return { draftId: Number(draftId), language: parseLanguage(language), hasMenu: menu !== undefined };
}

export const tellPreview = (frame: HTMLIFrameElement | null): void =>
  frame?.contentWindow?.postMessage(CHANGED, window.location.origin);

/** Hears of each change of the draft. */
export function onDraftChanged(listen: () => void): () => void {
  const hear = ({ origin, data }: MessageEvent) => {
    if (origin === window.location.origin && data === CHANGED) listen();
  };
  window.addEventListener('message', hear);
  return () => window.removeEventListener('message', hear);
}
