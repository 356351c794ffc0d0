import { Navigate } from 'react-router-dom';
import { useTranslate } from 'ra-core';
import { factsOf, fieldsBelowHead, statusOf } from '#app/engine/factsOf.tsx';
import { Lines, listsOf } from '#app/engine/Lines.tsx';
import { nameOf, useDetail } from '#app/engine/useDetail.ts';
import { useRecordActions } from '#app/engine/useRecordActions.tsx';
import { kindOf, urlsOf } from '#app/fields/format.ts';
import { Images } from '#app/fields/Images.tsx';
import { useReasonOf } from '#app/notify.ts';
import { addressOfBill } from '#app/parts/billPage.ts';
import { DetailLayout, Section } from '#app/parts/DetailLayout.tsx';
import { FactGrid } from '#app/parts/Facts.tsx';
import { PageHead } from '#app/parts/PageHead.tsx';
import { ReadFailure } from '#app/parts/ReadFailure.tsx';
import { isRefusal } from '#app/send.ts';
import { ErrorPage } from '#app/shell/ErrorPage.tsx';
import { useTabName } from '#app/shell/useTabName.ts';

/** A record to read: its facts, its pictures, its lines, and what its row offers. Rule: lists#details. */
export default function DetailPage({ menuNo, id }: { menuNo: string; id: string }) {
  const translate = useTranslate();
  const { data, error, refetch } = useDetail(menuNo, id);
  const reasonOf = useReasonOf();
  const { actions, dialog } = useRecordActions(menuNo, data, () => void refetch());
  const name = nameOf(data);
  useTabName(name);
  if (isRefusal(error, 'noRight')) return <Navigate to="/401" replace />;
  if (isRefusal(error, 'notFound')) return <ErrorPage code="404" />;
  if (!data && error) {
    return (
      <DetailLayout head={<PageHead menuNo={menuNo} />}>
        <ReadFailure
          text={translate('shell.notice.failed', { action: translate('shell.detail.failed') })}
          reason={reasonOf(error)}
          onAgain={() => void refetch()}
        />
      </DetailLayout>
    );
  }
  if (!data) return null;

  const { view } = data;
  const pictures = view.fields.filter((it) => kindOf(it) === 'images' && urlsOf(data[it.name]).length > 0);
  const facts = fieldsBelowHead(view, data).filter((it) => kindOf(it) !== 'images');
  return (
    <DetailLayout head={<PageHead menuNo={menuNo} status={statusOf(view, data)} actions={actions} />}>
      <FactGrid
        isFramed
        facts={factsOf({ ...view, columns: facts, row: data, own: addressOfBill(menuNo, name ?? id) })}
      />
      {pictures.map((it) => (
        <Section key={it.name} title={it.label}>
          <Images urls={urlsOf(data[it.name])} label={it.label} />
        </Section>
      ))}
      {listsOf(data).map((it) => (
        <Section key={it.name} title={it.view.label}>
          <Lines list={it} maxHeight={view.maxHeight ?? 550} />
        </Section>
      ))}
      {dialog}
    </DetailLayout>
  );
}
