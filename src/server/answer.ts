import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { SUCCESS } from '#domain/call.ts';
import type { Model } from '#domain/definition/grammar.ts';
import { Refusal, refusals, type Problem } from '#domain/refusal.ts';
import type { Language } from '#domain/words.ts';
import { sentenceOf } from '#server/sentences.ts';
import { codeOf } from '#server/transaction.ts';

/** The envelope of a success. Only this file knows `{code, msg, data}`. */
export const success = (data: unknown) => ({ code: SUCCESS, msg: '', data: data ?? null });

/** The one place where a no becomes an answer; what nobody foresaw is logged whole and answered with a number to quote. */
export function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  lang: Language,
  model: Model,
): FastifyReply {
  const refusal = asRefusal(error, request);
  const [first] = refusal.problems;
  const { code, status = 200 } = refusals[first.key] as { code: string; status?: number };
  if (first.key === 'unknown') request.log.error({ err: error }, 'unforeseen');
  else request.log.info({ refusal: first.key, args: first.args }, 'refused');
  const problems = refusal.problems.map((it) => ({ key: it.key, field: it.field, msg: sentenceOf(it, lang, model) }));
  return reply
    .status(status)
    .type('application/json; charset=utf-8')
    .send({ code, msg: problems[0]?.msg ?? '', data: refusal.data ?? { problems } });
}

function asRefusal(error: unknown, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error;
  const known = error as Partial<FastifyError>;
  if (known.validation) return new Refusal(problemsOfValidation(known.validation));
  if (known.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Refusal({ key: 'tooLarge', args: { max: '1M' } });
  if (known.statusCode === 429) return new Refusal({ key: 'tooMany', args: { seconds: 60 } });
  if (known.statusCode !== undefined && known.statusCode >= 400 && known.statusCode < 500) {
    return new Refusal({ key: 'format', field: 'body', args: { field: { zh: '请求内容', en: 'The request' } } });
  }
  if (codeOf(error) === '23505') {
    const [what, value] = uniqueOf(error as { detail?: string });
    return new Refusal({ key: 'alreadyExists', field: what, args: { what, value } });
  }
  if (codeOf(error) === '57014') return new Refusal({ key: 'unknown', args: { number: request.id } });
  return new Refusal({ key: 'unknown', args: { number: request.id } });
}

/** `Key ("siteId")=(SZ) already exists.` names the field and the value. */
function uniqueOf({ detail = '' }: { detail?: string }): [string, string] {
  const found = /^Key \((.+)\)=\((.*)\)/.exec(detail);
  return [(found?.[1] ?? '').replaceAll('"', ''), found?.[2] ?? ''];
}

type Validation = NonNullable<FastifyError['validation']>[number];

/** What Ajv says of an input, in our words; what is missing comes first and together. */
function problemsOfValidation(validation: Validation[]): Problem[] {
  const missing: string[] = [];
  const others: Problem[] = [];
  for (const it of validation) {
    const at = it.instancePath.split('/').slice(1).join('.');
    const inside = (name: unknown) => (at ? `${at}.${String(name)}` : String(name));
    if (it.keyword === 'required') missing.push(inside(it.params['missingProperty']));
    else if (it.keyword === 'minLength' || it.keyword === 'minItems') missing.push(at);
    else if (it.keyword === 'additionalProperties') {
      const field = inside(it.params['additionalProperty']);
      others.push({ key: 'unknownField', field, args: { field } });
    } else if (it.keyword === 'maxLength' || it.keyword === 'maxItems') {
      others.push({ key: 'tooLong', field: at, args: { field: at, max: Number(it.params['limit']) } });
    } else others.push({ key: 'format', field: at, args: { field: at || { zh: '请求内容', en: 'The request' } } });
  }
  const required: Problem[] =
    missing.length > 0 ? [{ key: 'required', field: missing[0] as string, args: { fields: missing } }] : [];
  return [...required, ...others];
}
