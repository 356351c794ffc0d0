import { useQuery } from '@tanstack/react-query';
import type { FormAnswer } from '#app/engine/wire.ts';
import { useReasonOf } from '#app/notify.ts';
import { sendTo } from '#app/send.ts';
import { useLanguage } from '#app/session.ts';

/** The fields of a module's new row, as its definition has them. */
export function useAddForm(module: string): { form: FormAnswer | undefined; error: string } {
  const lang = useLanguage();
  const reasonOf = useReasonOf();
  const { data, error } = useQuery({
    queryKey: [module, 'toAdd', lang],
    queryFn: () => sendTo<FormAnswer>({ method: 'GET', path: `/api/${module}/toAdd.json`, writes: false }, {}),
  });
  return { form: data, error: error ? reasonOf(error) : '' };
}
