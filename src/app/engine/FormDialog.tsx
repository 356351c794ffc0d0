import { useEffect, useMemo, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDataProvider, useTranslate } from 'ra-core';
import { useFormDraft } from '#app/engine/formDrafts.ts';
import type { FormValues } from '#app/engine/formRules.ts';
import { givenIn, givenTextOf, withoutGiven } from '#app/engine/given.ts';
import { RecordForm } from '#app/engine/RecordForm.tsx';
import { useUnsaved } from '#app/engine/useUnsaved.ts';
import type { EngineProvider } from '#app/dataProvider.ts';
import { useNotices } from '#app/notify.ts';
import { isRefusal } from '#app/send.ts';
import { useLanguage } from '#app/session.ts';
import { Confirm } from '#app/parts/Confirm.tsx';
import { Modal } from '#app/parts/Modal.tsx';
import { parsePageAddress } from '#app/shell/pageAddress.ts';
import { usePageNames } from '#app/shell/pageNames.ts';

interface Props {
  menuNo: string;
  id?: string | undefined;
}

/** The generic form over its list, for a new record or, with an id, for one that is changed. Rule: lists#forms. */
export default function FormDialog(props: Props) {
  const { search } = useLocation();
  // A tab whose form is given something else begins anew.
  return <OpenForm key={givenTextOf(search)} {...props} />;
}

function OpenForm({ menuNo, id }: Props) {
  const translate = useTranslate();
  const notices = useNotices();
  const navigate = useNavigate();
  const language = useLanguage();
  const provider = useDataProvider<EngineProvider>();
  const { pathname, search } = useLocation();
  const { view: action } = usePageNames(parsePageAddress(pathname));
  const [isDirty, setIsDirty] = useState(false);
  const [asks, setAsks] = useState(false);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: [menuNo, 'form', id ?? '', language],
    queryFn: () => (id ? provider.toModify(menuNo, id) : provider.toAdd(menuNo)),
    // Another language has other labels, and the same input.
    placeholderData: keepPreviousData,
    gcTime: 0,
    staleTime: Infinity,
  });
  const given = useMemo(() => (id ? undefined : givenIn(search)), [id, search]);
  const { draft, save, discard } = useFormDraft(menuNo, id ?? draftNameOf(given));
  const isReady = data !== undefined && draft !== undefined;
  const isOpen = data !== undefined && !isPlaceholderData;
  const list = `/${menuNo}${withoutGiven(search)}`;
  const leave = () => void navigate(list);

  useEffect(() => {
    // A form that is open stays with what was typed, also if it can't be read again.
    if (!error || isOpen) return;
    if (isRefusal(error, 'noRight')) {
      void navigate('/401', { replace: true });
      return;
    }
    notices.failed(action, error);
    void navigate(list, { replace: true });
  }, [error, isOpen, action, list, navigate, notices]);

  useUnsaved(isDirty);

  return (
    <Modal title={action} open={isReady} onClose={() => (isDirty ? setAsks(true) : leave())}>
      {isReady && (
        <RecordForm
          menuNo={menuNo}
          form={data}
          action={action}
          readForm={async () => (await refetch()).data}
          given={given}
          draft={draft}
          saveDraft={save}
          discardDraft={discard}
          onDirty={setIsDirty}
          onCancel={() => (isDirty ? setAsks(true) : leave())}
          onSaved={leave}
        />
      )}
      <Confirm
        open={asks}
        title={translate('shell.form.discard')}
        action={translate('shell.form.discardAction')}
        danger
        onConfirm={() => {
          discard();
          leave();
        }}
        onCancel={() => setAsks(false)}
      />
    </Modal>
  );
}

/** What was typed over something given belongs to that alone, and to no form that begins empty. */
const draftNameOf = (given: FormValues | undefined): string => (given ? JSON.stringify(given) : '');
