import { useEffect } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useDataProvider, useTranslate, type RaRecord } from 'ra-core';
import { rowName } from '#app/engine/list/BodyRow.tsx';
import type { Detail } from '#app/engine/wire.ts';
import type { EngineProvider } from '#app/dataProvider.ts';
import { useNotices } from '#app/notify.ts';
import { CallError, isRefusal } from '#app/send.ts';
import { useLanguage } from '#app/session.ts';

/** A record with its lines and how to show it; what it was in another language stays until it is read in this one. */
export function useDetail(menuNo: string, id: string) {
  const translate = useTranslate();
  const notices = useNotices();
  const language = useLanguage();
  const provider = useDataProvider<EngineProvider>();
  const query = useQuery({
    queryKey: [menuNo, 'detail', id, language],
    queryFn: async () => (await provider.getOne<RaRecord>(menuNo, { id })).data as Detail,
    placeholderData: (before) => before,
  });
  const { error } = query;
  useEffect(() => {
    const isShownOnPage =
      isRefusal(error, 'notFound') || (error instanceof CallError && [403, 404].includes(error.status));
    if (error && !isShownOnPage) {
      notices.failed(translate('shell.detail.failed'), error);
    }
  }, [error, notices, translate]);
  return query;
}

/** A record is called by its first fact: the bill's number, the SN; or by what no two share together. Rule: lists#naming. */
export function nameOf(data: Detail | undefined): string | undefined {
  if (!data) return undefined;
  const { fields, labels, named = fields.slice(0, 1) } = data.view;
  return named.some((it) => data[it.name]) ? rowName(named, data, labels) : undefined;
}
