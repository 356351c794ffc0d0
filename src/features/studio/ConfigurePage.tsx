import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import Alert from '@mui/material/Alert';
import { MENU } from '#domain/definition/overlay.ts';
import { useReasonOf } from '#app/notify.ts';
import { DetailLayout } from '#app/parts/DetailLayout.tsx';
import type { PageProps } from '#app/parts/page.ts';
import { PageHead } from '#app/parts/PageHead.tsx';
import { useLookup } from '#app/parts/useLookup.ts';
import { useRecord } from '#app/parts/useRecord.ts';
import { useLanguage } from '#app/session.ts';
import { useTabName } from '#app/shell/useTabName.ts';
import { openDrafts, readDraft, readModule } from './contract.ts';
import { Editor } from './Editor.tsx';
import { MenuEditor } from './MenuEditor.tsx';

/** The editor of a module, in the draft that one works on; without one the first change makes it. Rule: definitions#drafts. */
export default function ConfigurePage({ menuNo, id = '' }: PageProps) {
  const reasonOf = useReasonOf();
  // Opened from the list of modules by its row, from a list itself by its name.
  const byRow = /^\d+$/.test(id) ? id : '';
  const { data: row, error: rowProblem } = useRecord<{ module: string }>('sysModule', byRow);
  const module = byRow === '' ? id : (row?.module ?? '');
  const model = useLookup(readModule, { module }, { enabled: module !== '', staleTime: 0 });
  const drafts = useLookup(openDrafts, {}, { staleTime: 0 });
  const [chosen, setChosen] = useState<number | null>(null);
  const [search] = useSearchParams();
  const lang = useLanguage();
  useTabName(model.data?.modules.find((it) => it.module === module)?.label[lang]);
  const items = drafts.data?.items;
  const first = items?.find((it) => it.modules.includes(module))?.id ?? 0;
  // What was begun with stays, also when the first change makes a draft.
  if (items && module !== '' && chosen === null) setChosen(first);
  const draftId = chosen ?? 0;
  const draft = useLookup(readDraft, { id: draftId }, { enabled: draftId > 0 && items !== undefined, staleTime: 0 });
  const failure = model.error ?? drafts.error ?? draft.error;
  const problem = rowProblem || (failure ? reasonOf(failure) : '');
  if (!model.data || !items || chosen === null || (draftId > 0 && !draft.isFetchedAfterMount) || problem) {
    return (
      <DetailLayout head={<PageHead menuNo={menuNo} isReading={!problem} />} isReading={!problem}>
        {problem && <Alert severity="error">{problem}</Alert>}
      </DetailLayout>
    );
  }
  const Edited = module === MENU ? MenuEditor : Editor;
  return (
    <Edited
      key={`${module} ${draftId} ${search}`}
      place={{ at: search.get('at') ?? '', name: search.get('name') ?? '' }}
      menuNo={menuNo}
      model={model.data}
      draftId={draftId}
      drafts={items}
      part={draft.data?.parts.find((it) => it.module === module)}
      onDraft={setChosen}
    />
  );
}
