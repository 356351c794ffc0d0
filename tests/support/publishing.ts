import { expect } from 'vitest';
import { SUCCESS, type DataOf } from '#domain/call.ts';
import { isOver } from '#domain/jobs.ts';
import { publishDraft, readDraft, readPublishing, readTakingBack, type takeBack } from '#features/studio/contract.ts';
import type { Answer, Asking, TestApp } from '#tests/support/app.ts';
import type { Unseen } from '#tests/support/seen.ts';

type Publishing = DataOf<typeof publishDraft>;
/** What a publish that is done tells: its number as well. */
type Published = Publishing & { id: number };

/** Publishes a draft as it was seen, or takes a publish back, and waits for the end of its job however long that takes. */
export async function publishAndWait<C extends typeof publishDraft | typeof takeBack>(
  testApp: TestApp,
  call: C,
  input: Unseen<C> & { id: number },
  asking: Asking,
): Promise<Answer<Published>> {
  const answer = await testApp.send(call, input, asking);
  if (answer.code !== SUCCESS) return answer as Answer<Published>;
  const read = call === publishDraft ? readPublishing : readTakingBack;
  let data = answer.data as Publishing;
  while (!isOver(data.state)) {
    const { last } = (await testApp.send(read, { id: input.id }, { as: 'admin' })).data;
    if (last?.jobId === data.jobId) data = last;
  }
  expect(data, data.msg).toMatchObject({ state: 'done', id: expect.any(Number) as number });
  return { ...answer, data: data as Published };
}

/** The same of a draft as it stands now. */
export async function publishAsItIs(testApp: TestApp, id: number, note: string, asking: Asking) {
  const { version } = (await testApp.send(readDraft, { id }, { as: 'admin' })).data;
  return publishAndWait(testApp, publishDraft, { id, version, note }, asking);
}
