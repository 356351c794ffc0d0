import type { ComponentType } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { useQuery } from '@tanstack/react-query';
import { ResourceContextProvider, useDataProvider, useTranslate } from 'ra-core';
import type { EngineProvider } from '#app/dataProvider.ts';
import { findEntry } from '#app/engine/module.ts';
import { useReasonOf } from '#app/notify.ts';
import { ReadFailure } from '#app/parts/ReadFailure.tsx';
import { isRepeatable } from '#app/queryClient.ts';
import { isRefusal } from '#app/send.ts';
import { useMenu } from '#app/session.ts';
import { ErrorPage } from '#app/shell/ErrorPage.tsx';
import { parsePageAddress } from '#app/shell/pageAddress.ts';

/**
 * An address that is not in the user's menu. Only the server knows whether it is a list that this user may not see
 * (then 401), one that stands in no menu (then it is shown), or nothing at all (then 404). Rule: lists#addresses.
 */
export default function UnknownAddress({ Modules }: { Modules: ComponentType }) {
  const { menuNo } = parsePageAddress(useLocation().pathname);
  const provider = useDataProvider<EngineProvider>();
  const isName = /^[A-Za-z]\w*$/.test(menuNo);
  // The menu is known an instant before the routes that are made of it.
  const isComing = findEntry(menuNo, useMenu() ?? []) !== undefined;
  const reasonOf = useReasonOf();
  const translate = useTranslate();
  const { error, isSuccess, refetch } = useQuery({
    queryKey: [menuNo, 'exists'],
    queryFn: () => provider.searchItems(menuNo),
    enabled: isName && !isComing,
  });
  if (isComing) return null;
  if (!isName) return <ErrorPage code="404" />;
  if (isSuccess) {
    return (
      <ResourceContextProvider value={menuNo}>
        <Modules />
      </ResourceContextProvider>
    );
  }
  if (!error) return null;
  if (isRefusal(error, 'noRight')) return <Navigate to="/401" replace />;
  if (!isRepeatable(error)) return <ErrorPage code="404" />;
  return <ReadFailure text={translate('shell.list.failed')} reason={reasonOf(error)} onAgain={() => void refetch()} />;
}
