import { useState } from 'react';
import { useTranslate } from 'ra-core';
import type { DataOf, InputOf } from '#domain/call.ts';
import { useReasonOf } from '#app/notify.ts';
import { isServerDown, isUnanswered } from '#app/parts/scan/answers.ts';
import { send } from '#app/send.ts';
import type { publishDraft, takeBack } from './contract.ts';

/** A publish waits for busy tables and builds indexes of large ones. */
const PATIENCE_MS = 15 * 60_000;
const LOOK_MS = 2_000;
const MOST_LOOKS = 60;

/**
 * Publishes or takes back, however long that takes. Where the answer was lost the server goes on: it is asked what became of
 * it, and only what it does not know of has failed. Rule: definitions#publishing.
 * @param findDone a number where it is done: that of its publish, where it is known
 */
export function usePublishing<C extends typeof publishDraft | typeof takeBack>(
  call: C,
  findDone: () => Promise<number | undefined>,
) {
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  const [step, setStep] = useState<'working' | 'looking' | null>(null);
  const [problem, setProblem] = useState('');

  async function publish(input: InputOf<C>): Promise<DataOf<C> | undefined> {
    setProblem('');
    setStep('working');
    try {
      return await send(call, input, { patience: PATIENCE_MS });
    } catch (error) {
      if (!isServerDown(error)) return void setProblem(reasonOf(error));
      setStep('looking');
      // Whoever heard an answer of the server's own knows that it is over.
      const id = await look(findDone, isUnanswered(error) ? MOST_LOOKS : 1);
      if (id !== undefined) return { id, leftOut: [] } as DataOf<C>;
      setProblem(isUnanswered(error) ? translate('studio.publish.unknown') : reasonOf(error));
      return undefined;
    } finally {
      setStep(null);
    }
  }
  return { publish, sending: step !== null, said: step && translate(`studio.publish.${step}`), problem };
}

async function look(findDone: () => Promise<number | undefined>, times: number): Promise<number | undefined> {
  for (let left = times; left > 0; left--) {
    const id = await findDone().catch(() => undefined);
    if (id !== undefined) return id;
    if (left > 1) await new Promise((done) => setTimeout(done, LOOK_MS));
  }
  return undefined;
}
