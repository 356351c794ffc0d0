import { PassThrough } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PROGRESS_MS } from '#domain/streams.ts';
import { failure, success } from '#server/answer.ts';
import type { Context } from '#server/context.ts';

/** Whether who asks wants to hear how far a long call is. */
export const asksForProgress = ({ headers }: FastifyRequest): boolean =>
  headers.accept?.includes('text/event-stream') === true;

/**
 * Answers with a stream of events: how far the work is, and as the last one the answer that the call has otherwise. Who
 * leaves meanwhile ends the work, and what it has written is taken back. Rule: wire#progress.
 */
export async function answerWithProgress(
  request: FastifyRequest,
  reply: FastifyReply,
  { lang, model }: Pick<Context, 'lang' | 'model'>,
  work: (tellProgress: NonNullable<Context['tellProgress']>) => Promise<unknown>,
): Promise<unknown> {
  const stream = new PassThrough();
  const write = (event: unknown) => void stream.write(`data: ${JSON.stringify(event)}\n\n`);
  let isBegun = false;
  let told = 0;
  const tellProgress = (done: number, total: number) => {
    if (isBegun && stream.destroyed) throw new Error('nobody waits for the answer any more');
    if (isBegun && performance.now() - told < PROGRESS_MS) return;
    told = performance.now();
    if (!isBegun) void reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no').send(stream);
    isBegun = true;
    write({ done, total });
  };
  try {
    const answer = success(await work(tellProgress));
    if (!isBegun) return answer;
    write(answer);
  } catch (error) {
    if (!isBegun) throw error;
    if (!stream.destroyed) write(failure(error, request, lang, model).envelope);
  }
  stream.end();
  return reply;
}
