import { useTranslate } from 'ra-core';
import { useSearchParams } from 'react-router-dom';
import Alert from '@mui/material/Alert';
import { MENU } from '#domain/definition/overlay.ts';
import { mayDo } from '#domain/rights.ts';
import { useReasonOf } from '#app/notify.ts';
import { Choice } from '#app/parts/Choice.tsx';
import { DetailLayout } from '#app/parts/DetailLayout.tsx';
import { EmptyState } from '#app/parts/EmptyState.tsx';
import type { PageProps } from '#app/parts/page.ts';
import { PageHead } from '#app/parts/PageHead.tsx';
import { useLookup } from '#app/parts/useLookup.ts';
import { useLanguage, useUser } from '#app/session.ts';
import { useTabName } from '#app/shell/useTabName.ts';
import { readDraft, readModule } from './contract.ts';
import { Editor } from './Editor.tsx';
import { MenuEditor } from './MenuEditor.tsx';

/** The modules of one draft, one after the other, new ones as well. Rule: definitions#drafts. */
export default function ConfigureDraftPage({ menuNo, id = '' }: PageProps) {
  const translate = useTranslate();
  const lang = useLanguage();
  const mayShape = mayDo(new Set(useUser()?.access), 'sysModule:configureMenu');
  const reasonOf = useReasonOf();
  const [search, setSearch] = useSearchParams();
  const draft = useLookup(readDraft, { id: Number(id) }, { staleTime: 0 });
  const parts = (draft.data?.parts ?? []).toSorted((a, b) => Number(a.module === MENU) - Number(b.module === MENU));
  const module = search.get('module') ?? parts[0]?.module ?? '';
  const model = useLookup(readModule, { module }, { enabled: module !== '', staleTime: 0 });
  useTabName(draft.data?.name);
  const failure = draft.error ?? model.error;
  const problem = failure ? reasonOf(failure) : '';
  const labelOf = (name: string) =>
    name === MENU
      ? translate('studio.menu.title')
      : (model.data?.modules.find((it) => it.module === name)?.label[lang] ?? name);
  const others = [
    ...new Set([
      ...parts.map((it) => it.module),
      ...(mayShape ? [MENU] : []),
      ...(model.data?.modules.map((it) => it.module) ?? []),
    ]),
  ];
  if (!draft.data || !draft.isFetchedAfterMount || problem || module === '' || !model.data) {
    const isEmpty = draft.data !== undefined && module === '' && !problem;
    return (
      <DetailLayout
        head={<PageHead menuNo={menuNo} isReading={!problem && !isEmpty} />}
        isReading={!problem && !isEmpty}
      >
        {problem && <Alert severity="error">{problem}</Alert>}
        {isEmpty && <EmptyState text={translate('studio.draft.empty')} more={translate('studio.draft.emptyHint')} />}
      </DetailLayout>
    );
  }
  const Edited = module === MENU ? MenuEditor : Editor;
  return (
    <Edited
      key={`${module} ${id}`}
      menuNo={menuNo}
      model={model.data}
      draftId={Number(id)}
      drafts={[]}
      part={parts.find((it) => it.module === module)}
      chooser={
        <Choice
          required
          place="inside"
          label={translate('studio.configure.module')}
          value={module}
          options={others.map((it) => ({ value: it, label: labelOf(it) }))}
          onChange={(it) => setSearch({ module: it })}
        />
      }
    />
  );
}
