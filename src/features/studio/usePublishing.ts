import { useEffect, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import type { DataOf, InputOf } from '#domain/call.ts';
import { isOver } from '#domain/jobs.ts';
import { useJobActions } from '#app/jobs/useJobs.ts';
import { useProblemOf } from '#app/notify.ts';
import { isServerDown, isUnanswered } from '#app/parts/scan/answers.ts';
import { followed } from '#app/queryClient.ts';
import { send } from '#app/send.ts';
import { useLanguage } from '#app/session.ts';
import { publishDraft, readPublishing, readTakingBack, type takeBack } from './contract.ts';

export type Publishing = DataOf<typeof publishDraft>;
/** One that is done has the number of the publish. */
export type Published = Publishing & { id: number };
type Read = typeof readPublishing | typeof readTakingBack;

const EVERY_MS = 1_000;
const LOOK_MS = 1_000;
const MOST_LOOKS = 120;
/** After the first answer that knows of no job, the order may still have been on its way. */
const ENOUGH_ANSWERS = 2;

export const isRunning = (it: Publishing | null | undefined): boolean => it != null && !isOver(it.state);

/** How the last publish of a draft, or the last taking back of a publish, stands; followed while it runs or is awaited. */
export function useLastPublishing(read: Read, id: number, isAwaited = false) {
  const queryKey = [read.path, { id }, useLanguage()];
  const { data, refetch } = useQuery({
    ...followed,
    queryKey,
    queryFn: ({ signal }) => send(read, { id }, { signal, background: true, quiet: true }),
    staleTime: 0,
    refetchInterval: ({ state }) => (isAwaited || isRunning(state.data?.last) ? EVERY_MS : false),
  });
  return { last: data?.last, refetch, queryKey };
}

/**
 * Publishes or takes back, and follows the job to its end, also one that somebody ordered before. Where the answer was lost
 * the server is asked what became of it: only what it knows nothing of was not ordered. Rule: definitions#publishing.
 */
export function usePublishing<C extends typeof publishDraft | typeof takeBack>(
  call: C,
  id: number,
  onDone: (done: Published) => void,
) {
  const translate = useTranslate();
  const problemOf = useProblemOf();
  const client = useQueryClient();
  const { cancel } = useJobActions();
  /** The job before the one that is followed; null while none is. */
  const [after, setAfter] = useState<number | null>(null);
  const [step, setStep] = useState<'working' | 'looking' | null>(null);
  const [problem, setProblem] = useState('');
  const read = call === publishDraft ? readPublishing : readTakingBack;
  const { last, refetch, queryKey } = useLastPublishing(read, id, after !== null);
  if (after === null && last && isRunning(last)) setAfter(last.jobId - 1);
  const own = last && after !== null && last.jobId > after ? last : null;

  useEffect(() => {
    if (!own || isRunning(own)) return;
    setAfter(null);
    if (own.state === 'done' && own.id !== null) onDone({ ...own, id: own.id });
    else setProblem(own.msg || translate('studio.publish.cancelled'));
  }, [own, onDone, translate]);

  /** Whether the server has the job of an order whose answer was lost. */
  async function isOrdered(known: number): Promise<boolean> {
    for (let left = MOST_LOOKS, answers = 0; left > 0; left--) {
      const { data, isSuccess } = await refetch();
      if (isSuccess && (data.last?.jobId ?? 0) > known) return true;
      if (isSuccess) answers += 1;
      if (answers === ENOUGH_ANSWERS) return false;
      await new Promise((done) => setTimeout(done, LOOK_MS));
    }
    return false;
  }

  async function publish(input: InputOf<C>): Promise<void> {
    setProblem('');
    setStep('working');
    try {
      const before = await refetch({ throwOnError: true });
      const known = before.data?.last?.jobId ?? 0;
      setAfter(known);
      try {
        const told: Publishing = await send(call, input);
        await client.cancelQueries({ queryKey });
        client.setQueryData(queryKey, { last: told });
      } catch (error) {
        if (isServerDown(error)) {
          setStep('looking');
          if (await isOrdered(known)) return;
        } else await refetch();
        setAfter(null);
        setProblem(isUnanswered(error) ? translate('studio.publish.unknown') : problemOf(error));
      }
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setStep(null);
    }
  }

  return {
    publish,
    /** Of an order that the server has not told anything of yet. */
    sending: step !== null,
    said: step && translate(`studio.publish.${step}`),
    problem,
    /** What is followed. */
    running: isRunning(own) ? own : null,
    cancel: async (jobId: number) => {
      await cancel(jobId);
      await refetch();
    },
  };
}
