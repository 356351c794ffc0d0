import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router-dom';
import { moduleOf } from '#app/engine/module.ts';
import { readAnew } from '#app/queryClient.ts';
import { sendTo } from '#app/send.ts';
import { parsePageAddress } from '#app/shell/pageAddress.ts';
import { closeTabs, findTabAddress } from '#app/shell/tabs.ts';

interface Place {
  count: number;
  position: number | null;
  next: number | null;
}

const call = { method: 'GET', path: '/api/workQueue/place.json', writes: false } as const;

/**
 * Where this record stands among all that wait for the same button, and the way to the next of them; after the last one
 * the way leads to the list. The page that is left takes its tab along. Rule: screens#queues.
 */
export function useQueuePlace(menuNo: string, btnNo: string, id: string) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const queries = useQueryClient();
  const name = `${moduleOf(menuNo)}:${btnNo}`;
  const { data: place } = useQuery({
    queryKey: [call.path, name, id],
    queryFn: () => sendTo<Place>(call, { name, id: Number(id) }),
  });
  const hasNext = place?.next != null;
  const leadOn = () => {
    void navigate(hasNext ? `/${menuNo}/${btnNo}/${place.next}` : findTabAddress(`/${menuNo}`));
    closeTabs([parsePageAddress(pathname).key]);
    void readAnew(queries, { queryKey: [call.path] });
  };
  return { place, hasNext, leadOn };
}
