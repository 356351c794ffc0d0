import { useRef, useState } from 'react';
import type { Call, DataOf, InputOf } from '#domain/call.ts';
import { useReasonOf } from '#app/notify.ts';
import type { ProblemAnswer } from '#domain/refusal.ts';
import { CallError, isRefusal, newKey, send } from '#app/send.ts';
import { isWithoutVerdict } from '#app/parts/scan/answers.ts';

interface Submitting<C extends Call> {
  /** Gives the answer, or nothing when there was none or a no; `problem` then says why. */
  submit: (input: InputOf<C>) => Promise<DataOf<C> | undefined>;
  sending: boolean;
  problem: string;
  problems: readonly ProblemAnswer[];
  forget: () => void;
}

/**
 * A submit of a form. What had no verdict goes again under the same key when it is sent again unchanged, so that it
 * can't be done twice. `failed` hears of what was refused or not answered, and says by true that it tells of it itself.
 * Rule: writing#idempotency.
 */
export function useSubmit<C extends Call>(call: C, failed?: (error: unknown) => unknown): Submitting<C> {
  const reasonOf = useReasonOf();
  const open = useRef<{ key: string; body: string } | undefined>(undefined);
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState<{ problem: string; problems: readonly ProblemAnswer[] }>(none);

  async function submit(input: InputOf<C>): Promise<DataOf<C> | undefined> {
    const body = JSON.stringify(input);
    if (open.current?.body !== body) open.current = { key: newKey(), body };
    setSending(true);
    setFailure(none);
    try {
      const answer = await send(call, input, { key: open.current.key });
      open.current = undefined;
      return answer;
    } catch (error) {
      if (!isWithoutVerdict(error)) open.current = undefined;
      // What is told beside the form needs no words of its own, and the end of the session is told by the sign-in.
      if ((await failed?.(error)) !== true && !isRefusal(error, 'noSession'))
        setFailure({ problem: reasonOf(error), problems: error instanceof CallError ? error.problems : [] });
      return undefined;
    } finally {
      setSending(false);
    }
  }
  return { submit, sending, ...failure, forget: () => setFailure(none) };
}

const none = { problem: '', problems: [] };
