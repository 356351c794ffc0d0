import { useTranslate } from 'ra-core';
import { Panel } from '#app/parts/Facts.tsx';
import { type ChosenCode, IssueCodeEntry } from '#app/parts/IssueCodeEntry.tsx';
import { PictureUpload } from '#app/parts/PictureUpload.tsx';
import { imageLimits } from '#domain/images.ts';

/** What a device looks like as it comes in; only where there is something to say. */
export interface ArrivalNote {
  codes: readonly ChosenCode[];
  urls: readonly string[];
}

export const noNote: ArrivalNote = { codes: [], urls: [] };

/** Of all that is scanned and not yet received, by the key of the scan. */
export type ArrivalNotes = Readonly<Record<string, ArrivalNote>>;

interface Props {
  sn: string;
  choices: readonly ChosenCode[];
  note: ArrivalNote;
  /** Changes what is noted of this unit by then. */
  onChange: (change: (now: ArrivalNote) => ArrivalNote) => void;
  onOpen: (why: string) => void;
}

/** Issue codes and pictures of the device that was scanned last. Rule: receiving#condition. */
export function ArrivalNotePanel({ sn, choices, note, onChange, onOpen }: Props) {
  const translate = useTranslate();
  return (
    <Panel title={translate('stations.receive.note', { sn })}>
      <IssueCodeEntry
        label={translate('stations.field.issueCode')}
        choices={choices}
        codes={note.codes}
        onChange={(codes) => onChange((now) => ({ ...now, codes }))}
      />
      <PictureUpload
        label={translate('stations.picture.add')}
        urls={note.urls}
        onArrive={(url) => onChange((now) => ({ ...now, urls: [...now.urls, url] }))}
        onRemove={(url) => onChange((now) => ({ ...now, urls: now.urls.filter((it) => it !== url) }))}
        onOpen={onOpen}
        max={imageLimits.generic}
      />
    </Panel>
  );
}
