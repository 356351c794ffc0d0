import type { Call } from '#domain/call.ts';
import type { Definition, Field, Model } from '#domain/definition/grammar.ts';
import { refusals } from '#domain/refusal.ts';
import { mayDo, serviceScopeOf } from '#domain/rights.ts';
import type { Language } from '#domain/words.ts';
import type { GenericAction } from '#server/engine/genericAction.ts';
import { inputSchemas } from '#server/input.ts';
import { formSchema, rowSchema, type Schema } from './fields.ts';
import { shapeOf } from './generic.ts';

const ISSUE = 'sysServiceToken:issue';

/** A program's call no session opens: it is told to who gives out the tokens for it. */
const isTold = (right: string, rights: ReadonlySet<string>): boolean =>
  mayDo(rights, serviceScopeOf(right) === undefined ? right : ISSUE);

/**
 * The calls that somebody with these rights may make, as an OpenAPI 3.1 document, from the same objects that answer: the fixed
 * calls' own schemas, and the generic calls of each module as its definition gives them. Rule: wire#paths.
 * @param model with the modules alone that the reader may use
 */
export function createOpenApi(
  model: Model,
  { calls, actions }: { calls: readonly Call[]; actions: readonly GenericAction[] },
  { rights, lang }: { rights: ReadonlySet<string>; lang: Language },
): Schema {
  const paths: Record<string, Record<string, Schema>> = {};
  const add = (path: string, method: string, operation: Schema) => {
    (paths[path] ??= {})[method.toLowerCase()] = operation;
  };
  const schemas: Record<string, Schema> = { ...envelopes };
  const fixed = new Set<string>(calls.map((it) => it.path));
  for (const call of calls.filter((it) => isTold(it.right, rights)))
    add(call.path.replace(/:(\w+)/g, '{$1}'), call.method, createOperation(call, schemas));
  for (const definition of [...model.definitions.values()].sort(byName)) {
    const optionsOf = (field: Field) =>
      field.options ? model.options[field.options]?.map((it) => it.value) : undefined;
    schemas[definition.module] = rowSchema(definition, optionsOf, lang);
    const form = formSchema(definition, optionsOf, lang);
    for (const action of actions) {
      const right = action.rightOf(definition, {}, rights);
      const path = `/api/${definition.module}/${action.name}.json`;
      // A fixed call answers in the place of the generic one, also where it is not told.
      if (!right || !mayDo(rights, right) || fixed.has(path)) continue;
      const { says, query = {}, body, data } = shapeOf(action, definition, ref(definition.module), form);
      add(path, action.method, {
        operationId: operationIdOf(action.method, path),
        tags: [definition.module],
        summary: `${says}: ${definition.label[lang]}`,
        ...describeAccess(right, action.writes),
        parameters: [...createParameters({ type: 'object', properties: query }, 'query'), ...language(action.method)],
        ...(body && { requestBody: jsonBody(body) }),
        responses: createAnswers(data ?? {}),
      });
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Reflow',
      version: '1',
      description:
        'Every answer is {code, msg, data}; 000000 is success. Several refusals share a code: data.problems[].key tells ' +
        'them apart, the first is the one that code and msg mean. Times are epoch ms, decimals and selects are text. ' +
        'A write with the header idempotency-key is done once however often it is sent.',
    },
    tags: [...model.definitions.values()].sort(byName).map((it) => ({ name: it.module, description: it.label[lang] })),
    security: [{ token: [] }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'token', description: 'Of login.json.' },
        service: { type: 'http', scheme: 'bearer', description: 'A service token that an administrator issued.' },
      },
    },
  };
}

const byName = (a: Definition, b: Definition) => a.module.localeCompare(b.module);
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/**
 * What a client's generator calls the call: `post_rmaCheckBill_create`. It follows from method and path alone, so that it
 * stays what it is. Rule: wire#paths.
 */
function operationIdOf(method: string, path: string): string {
  const [, ...names] = path.replace(/\.json$/, '').match(/\w+/g) ?? [];
  return [method.toLowerCase(), ...names].join('_');
}

/** The parts that a schema names itself go among those of the document, where a reference to them leads. */
function placed(schema: unknown, under: string, schemas: Record<string, Schema>): unknown {
  if (Array.isArray(schema)) return schema.map((it) => placed(it, under, schemas));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $defs = {}, $ref, $id: _, ...rest } = schema as Schema & { $defs?: Record<string, Schema>; $ref?: string };
  for (const [name, it] of Object.entries($defs)) schemas[`${under}_${name}`] = placed(it, under, schemas) as Schema;
  const parts = Object.entries(rest).map(([name, it]) => [name, placed(it, under, schemas)]);
  return { ...Object.fromEntries(parts), ...($ref !== undefined && ref(`${under}_${$ref}`)) } as Schema;
}

function createOperation(call: Call, schemas: Record<string, Schema>): Schema {
  const operationId = operationIdOf(call.method, call.path);
  const { params, querystring, body, data } = placed(
    JSON.parse(JSON.stringify({ ...inputSchemas(call), data: call.data })),
    operationId,
    schemas,
  ) as Record<string, Schema | undefined>;
  const [, , module = 'session'] = call.path.split('/');
  return {
    operationId,
    tags: [/\.json$/.test(module) ? 'session' : module],
    summary: call.path.split('/').at(-1)?.replace('.json', ''),
    ...describeAccess(call.right, call.writes, call.why),
    ...(call.right === 'public' && { security: [] }),
    ...(serviceScopeOf(call.right) && { security: [{ service: [] }] }),
    parameters: [...createParameters(params, 'path'), ...createParameters(querystring, 'query')],
    ...(body && { requestBody: jsonBody(body) }),
    responses: createAnswers(data ?? {}, call.streams),
  };
}

/** The right that a call needs, or why it needs none, and that a write may be repeated with its key. */
const describeAccess = (right: string, writes: boolean, why?: string): Schema => ({
  description: `Right: \`${right}\`.${why ? ` ${why}.` : ''}${writes ? ' Writes; send an `idempotency-key` to make a repeat harmless.' : ''}`,
  'x-right': right,
  ...(why && { 'x-why': why }),
});

function createParameters(schema: Schema | undefined, where: 'path' | 'query'): Schema[] {
  const required = (schema?.['required'] ?? []) as string[];
  return Object.entries((schema?.['properties'] ?? {}) as Record<string, Schema>).map(([name, it]) => {
    const { description, ...rest } = it;
    return {
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      schema: rest,
      ...(typeof description === 'string' && { description }),
    };
  });
}

const language = (method: string): Schema[] =>
  method === 'GET'
    ? [{ name: 'lang', in: 'query', required: false, schema: { type: 'string', enum: ['zh', 'en'] } }]
    : [];

const jsonBody = (schema: Schema): Schema => ({ required: true, content: { 'application/json': { schema } } });

function createAnswers(data: Schema, streams = false): Schema {
  const answer = { allOf: [ref('Answer'), { type: 'object', properties: { data } }] };
  const told = {
    description: 'Events, each with this behind `data: `; a line with a colon alone says that the stream lives.',
    content: { 'text/event-stream': { schema: data } },
  };
  const no = (description: string): Schema => ({
    description,
    content: { 'application/json': { schema: ref('Refusal') } },
  });
  return {
    200: streams
      ? told
      : {
          description: 'Done, or refused with the code that says of what kind and the key that says why.',
          content: { 'application/json': { schema: answer } },
        },
    401: no('No living session: code 401, key noSession.'),
    403: no('No right: code 100013, key noRight; or changePasswordFirst.'),
  };
}

const codes = [...new Set(Object.values(refusals).map((it) => it.code))].sort();
const envelopes: Record<string, Schema> = {
  Answer: {
    type: 'object',
    properties: { code: { type: 'string', examples: ['000000'] }, msg: { type: 'string' }, data: {} },
    required: ['code', 'msg', 'data'],
  },
  Refusal: {
    type: 'object',
    properties: {
      code: { type: 'string', enum: codes },
      msg: { type: 'string', description: 'What is wrong and what to do, in the language of the call.' },
      data: {
        type: 'object',
        description: 'What is wrong; of a stale save also the record as it is today.',
        properties: {
          problems: {
            type: 'array',
            minItems: 1,
            items: {
              type: 'object',
              properties: {
                key: { type: 'string', enum: Object.keys(refusals) },
                field: { type: 'string' },
                msg: { type: 'string' },
              },
              required: ['key', 'msg'],
            },
          },
        },
        required: ['problems'],
      },
    },
    required: ['code', 'msg', 'data'],
  },
};
