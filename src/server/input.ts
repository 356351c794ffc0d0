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
 * The schema by which an input is checked once it has been read (`readInput`): the call's own, every object of it closed,
 * so that a field nobody knows is refused by its name instead of being dropped, and every number within what the database
 * holds. A query also takes `lang`, which belongs to the wire.
 */
export function inputSchema(input: TSchema, isQuery: boolean): Schema {
  const schema = bounded(JSON.parse(JSON.stringify(input)) as Schema);
  if (!isQuery || schema['type'] !== 'object') return schema;
  return { ...schema, properties: { ...(schema['properties'] as Schema), lang: { type: 'string' } } };
}

const MOST_INTEGER = 2 ** 31 - 1;
const bounds: Record<string, Schema> = {
  integer: { minimum: -MOST_INTEGER, maximum: MOST_INTEGER },
  number: { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
};

function bounded(schema: unknown): Schema {
  if (Array.isArray(schema)) return schema.map(bounded) as unknown as Schema;
  if (!schema || typeof schema !== 'object') return schema as Schema;
  const copy: Schema = Object.fromEntries(Object.entries(schema).map(([name, it]) => [name, bounded(it)]));
  const isOpen = copy['type'] === 'object' && !('additionalProperties' in copy) && !('patternProperties' in copy);
  if (isOpen) return { ...copy, additionalProperties: false };
  return typeof copy['type'] === 'string' ? { ...bounds[copy['type']], ...copy } : copy;
}
