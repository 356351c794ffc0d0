import { useState } from 'react';
import { useQueries, useQuery } from '@tanstack/react-query';
import type { FoundChoices } from '#app/engine/wire.ts';
import type { Asked, Option } from '#app/parts/choiceProps.ts';
import { useLater } from '#app/parts/useLater.ts';
import { toOptions } from '#app/parts/toOptions.ts';
import { told } from '#app/queryClient.ts';
import { sendTo } from '#app/send.ts';
import { useLanguage } from '#app/session.ts';

const FRESH = 60_000;

interface Found {
  /** What is offered now. */
  offered: readonly Option[];
  /** The values that are chosen, by their names; one that nobody knows stands for itself. */
  chosen: Option[];
  state: 'loading' | 'failed' | undefined;
  retry: () => void;
  /** Keeps the names of what was chosen, which the next search may not find. */
  remember: (options: readonly Option[]) => void;
}

/** Choices given, or found by the server; `typed` is what narrows them down, nothing where nothing is looked for. */
export function useFoundChoices(
  asked: Asked | undefined,
  given: readonly Option[],
  values: readonly string[],
  typed: string,
): Found {
  const lang = useLanguage();
  const [picked, setPicked] = useState<readonly Option[]>([]);
  const search = useLater(typed);
  const optionsOf = (input: { search: string } | { value: string }) => ({
    queryKey: [asked?.module, 'options', asked?.field, asked?.within, asked?.all, input, lang],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const call = { method: 'GET', path: `/api/${asked?.module}/options.json`, writes: false } as const;
      const { field = '', within, all } = asked ?? {};
      // Of a value only its name is asked for, wherever it belongs.
      const sought = { field, ...input, ...('search' in input && { ...(within && { within }), ...(all && { all }) }) };
      return toOptions((await sendTo<FoundChoices>(call, sought, { signal })).options);
    },
    staleTime: FRESH,
  });
  const known = [...given, ...picked];
  const unnamed = asked ? values.filter((value) => !known.some((it) => it.value === value)) : [];
  const named = useQueries({ queries: unnamed.map((value) => optionsOf({ value })) }).flatMap((it) => it.data ?? []);
  const asks = asked !== undefined && typed !== '';
  const found = useQuery({ ...optionsOf({ search }), enabled: asks && search !== '', meta: told });
  const isBehind = asks && (search !== typed || found.isFetching);
  return {
    offered: asks ? (found.data ?? []) : given,
    chosen: values.map((value) => [...known, ...named].find((it) => it.value === value) ?? { value, label: value }),
    state: isBehind ? 'loading' : asks && found.isError ? 'failed' : undefined,
    retry: () => void found.refetch(),
    remember: setPicked,
  };
}
