import { useQuery } from '@tanstack/react-query';
import { useReasonOf } from '#app/notify.ts';
import { sendTo } from '#app/send.ts';
import { useLanguage } from '#app/session.ts';

/** One row of a module with its lines, by its row id or its business number. */
export function useRecord<Row>(
  module: string,
  id: string,
): { data: Row | undefined; error: string; isReading: boolean; reload: () => void } {
  const lang = useLanguage();
  const reasonOf = useReasonOf();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [module, 'queryById', id, lang],
    queryFn: () => sendTo<Row>({ method: 'GET', path: `/api/${module}/queryById.json`, writes: false }, { id }),
    enabled: id !== '',
  });
  return { data, error: error ? reasonOf(error) : '', isReading: isFetching, reload: () => void refetch() };
}
