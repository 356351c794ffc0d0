import type { TSchema } from 'typebox';
import type { Call } from '#domain/call.ts';

type Schema = Record<string, unknown>;

/** What Fastify checks of a call: its path's names, its query or its body; a DELETE takes nothing else. */
export function inputSchemas({ method, path, input }: Call): Record<string, Schema> {
  const isQuery = method === 'GET';
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
  const schema = inputSchema(input, isQuery);
  const properties = (schema['properties'] ?? {}) as Schema;
  const part = (takes: (name: string) => boolean): Schema => ({
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => takes(name))),
    required: ((schema['required'] ?? []) as string[]).filter(takes),
  });
  const params: Record<string, Schema> = inPath.length > 0 ? { params: part((name) => inPath.includes(name)) } : {};
  if (method === 'DELETE') return params;
  const rest = inPath.length > 0 ? part((name) => !inPath.includes(name)) : schema;
  return { ...params, [isQuery ? 'querystring' : 'body']: rest };
}

/**
 * The schema by which Fastify checks an input: the call's own, every object of it closed, so that a field nobody knows
 * is refused by its name instead of being dropped, and every text free of NUL. A query also takes `lang` and `_`, which belong to the wire.
 */
export function inputSchema(input: TSchema, isQuery: boolean): Schema {
  const schema = closed(JSON.parse(JSON.stringify(input)) as Schema);
  if (!isQuery || schema['type'] !== 'object') return schema;
  return { ...schema, properties: { ...(schema['properties'] as Schema), lang: { type: 'string' } } };
}

function closed(schema: unknown): Schema {
  if (Array.isArray(schema)) return schema.map(closed) as unknown as Schema;
  if (!schema || typeof schema !== 'object') return schema as Schema;
  const copy: Schema = Object.fromEntries(Object.entries(schema).map(([name, it]) => [name, closed(it)]));
  // PostgreSQL keeps no NUL in a text; without this it would say so itself, in the middle of the work.
  if (copy['type'] === 'string' && !('pattern' in copy)) copy['pattern'] = '^[^\\u0000]*$';
  const isOpen = copy['type'] === 'object' && !('additionalProperties' in copy) && !('patternProperties' in copy);
  return isOpen ? { ...copy, additionalProperties: false } : copy;
}
