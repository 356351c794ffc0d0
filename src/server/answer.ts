import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { SUCCESS } from '#domain/call.ts';
import type { Model } from '#domain/definition/grammar.ts';
import { Refusal, refusals, type Arg, type Problem, type ProblemAnswer } from '#domain/refusal.ts';
import { mayDo } from '#domain/rights.ts';
import type { Language, Words } from '#domain/words.ts';
import type { CurrentUser } from '#server/context.ts';
import { databaseRefusalOf } from '#server/databaseRefusal.ts';
import { missingOf } from '#server/health/missing.ts';
import { PUBLIC_BODY_LIMIT } from '#server/bodies.ts';
import { sentenceOf } from '#server/sentences.ts';

/** The envelope of a success. Only this file knows `{code, msg, data}`. */
export const success = (data: unknown) => ({ code: SUCCESS, msg: '', data: data ?? null });

/**
 * The one place where an error becomes an answer. An unforeseen one is logged in full and answered with a number to
 * quote.
 */
export function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  lang: Language,
  model: Model,
): FastifyReply {
  const { status = 200, wait, envelope } = failure(error, request, lang, model);
  if (wait !== undefined) reply.header('retry-after', String(wait));
  // The headers were set for a file, which may be cached and has a name; this answer is none.
  return reply
    .removeHeader('content-disposition')
    .header('cache-control', 'no-store')
    .status(status)
    .type('application/json; charset=utf-8')
    .send(envelope);
}

/** The envelope of an error, and how it is sent; the log hears of it. */
export function failure(error: unknown, request: FastifyRequest, lang: Language, model: Model) {
  const refusal = asRefusal(error, request, model);
  const [first] = refusal.problems;
  const { code, status, retryAfter } = refusals[first.key] as { code: string } & Partial<Record<string, number>>;
  if (first.key === 'unknown') request.log.error({ err: error }, 'unforeseen');
  else if (retryAfter) request.log.error({ err: error, missing: first.key }, 'unavailable');
  else request.log.info({ refusal: first.key, args: first.args }, 'refused');
  const problems = refusal.problems.map((it): ProblemAnswer => ({
    key: it.key,
    field: it.field,
    msg: sentenceOf(it, lang, model),
  }));
  const data = isTold(refusal, request) ? refusal.data : null;
  const wait = retryAfter ?? (status === 429 ? first.args?.['seconds'] : undefined);
  return { status, wait, envelope: { code, msg: problems[0]?.msg ?? '', data: { ...data, problems } } };
}

/** A row goes with a refusal to those who may list its module: the right to an action alone opens none. */
const isTold = ({ rowOf }: Refusal, request: FastifyRequest): boolean =>
  rowOf === null || mayDo(request.getDecorator<CurrentUser | null>('who')?.rights ?? new Set(), `${rowOf}:list`);

function asRefusal(error: unknown, request: FastifyRequest, model: Model): Refusal {
  if (error instanceof Refusal) return error;
  const known = error as Partial<FastifyError>;
  if (known.validation) return new Refusal(toProblems(known.validation, labelsFor(request, model)));
  if (known.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const max = request.routeOptions.bodyLimit === PUBLIC_BODY_LIMIT ? '8K' : '1M';
    return new Refusal({ key: 'tooLarge', args: { max } });
  }
  if (known.statusCode === 429) return new Refusal({ key: 'tooMany', args: { seconds: 60 } });
  if (known.statusCode !== undefined && known.statusCode >= 400 && known.statusCode < 500) {
    return new Refusal({ key: 'format', field: 'body', args: { field: { zh: '请求内容', en: 'The request' } } });
  }
  const refused = databaseRefusalOf(error, model);
  if (refused) return new Refusal(refused);
  const missing = missingOf(error);
  if (missing) return new Refusal({ key: missing });
  return new Refusal({ key: 'unknown', args: { number: request.id } });
}

type Validation = NonNullable<FastifyError['validation']>[number];

/** Nobody mends more at once; whoever sends a hundred thousand wrong names is not told each of them. */
const MOST_PROBLEMS = 100;

/** What Ajv says of an input, in our words; what is missing comes first and together. */
function toProblems(all: Validation[], labelOf: (name: string) => Arg): Problem[] {
  const missing: string[] = [];
  const others: Problem[] = [];
  for (const it of withoutOtherBranches(all.slice(0, MOST_PROBLEMS))) {
    const at = it.instancePath.split('/').slice(1).join('.');
    const inside = (name: unknown) => (at ? `${at}.${String(name)}` : String(name));
    if (it.keyword === 'required') missing.push(inside(it.params['missingProperty']));
    else if (it.keyword === 'minLength' || it.keyword === 'minItems') missing.push(at);
    else if (it.keyword === 'additionalProperties') {
      const field = inside(it.params['additionalProperty']);
      others.push({ key: 'unknownField', field, args: { field } });
    } else if (it.keyword === 'maxLength' || it.keyword === 'maxItems') {
      const key = it.keyword === 'maxItems' ? 'tooManyEntries' : 'tooLong';
      others.push({ key, field: at, args: { field: labelOf(at), max: Number(it.params['limit']) } });
    } else {
      const field = at ? labelOf(at) : { zh: '请求内容', en: 'The request' };
      others.push({ key: 'format', field: at, args: { field } });
    }
  }
  const required: Problem[] =
    missing.length > 0 ? [{ key: 'required', field: missing[0], args: { fields: missing.map(labelOf) } }] : [];
  return [...required, ...others];
}

/**
 * For a value that may be one of several things, Ajv reports for each why it is not that, and then that it is none.
 * Only the faults of the intended one help; where it is of no such kind, only that is reported.
 */
function withoutOtherBranches(validation: Validation[]): Validation[] {
  const isAt = (it: Validation, { instancePath: path }: Validation) => it.instancePath === path;
  const dropped = new Set<Validation>();
  for (const union of validation.filter((it) => it.keyword === 'anyOf')) {
    const branches = validation.filter(
      (it) =>
        it.schemaPath.startsWith(`${union.schemaPath}/`) &&
        (isAt(it, union) || it.instancePath.startsWith(`${union.instancePath}/`)),
    );
    const isOtherKind = (it: Validation) => it.keyword === 'type' && isAt(it, union);
    const isMeant = !branches.every(isOtherKind);
    for (const it of isMeant ? [union, ...branches.filter(isOtherKind)] : branches) dropped.add(it);
  }
  return validation.filter((it) => !dropped.has(it));
}

/** What people enter that stands in no list. */
const ofNoList: Readonly<Record<string, Words>> = { newpassword: { zh: '新密码', en: 'New password' } };

/** A field of a call by its label, where the list whose call it is, or one of its lines, has it; else by its name. */
function labelsFor(request: FastifyRequest, { definitions }: Model): (name: string) => Arg {
  const [, module = ''] = /^\/api\/(\w+)\//.exec(request.routeOptions.url ?? '') ?? [];
  const own = definitions.get(module);
  const lines = (own?.lines ?? []).map((it) => definitions.get(it.module));
  return (name) =>
    [own, ...lines].map((it) => it?.fields[name]?.label).find((it) => it !== undefined) ?? ofNoList[name] ?? name;
}
