import type { FastifyRequest } from 'fastify';
import { isStorable } from '#domain/exact.ts';
import { Refusal } from '#domain/refusal.ts';

/**
 * Refuses what the database can't store in a text, NUL and halves of surrogate pairs, anywhere in a request: body,
 * query, key. Else the database itself would fail in the middle of the work. An address with it is not found.
 */
export function refuseUnstorable({ body, query, params, headers, routeOptions, url }: FastifyRequest): void {
  if (unstorableIn(params) !== null) {
    throw new Refusal({ key: 'noSuchCall', args: { path: url.replace(/\?.*/s, '').slice(0, 100) } });
  }
  const [, fixed = ''] = /^\/api\/(\w+)\//.exec(routeOptions.url ?? '') ?? [];
  const { module = fixed } = params as { module?: string };
  const at = [body, query, { 'Idempotency-Key': headers['idempotency-key'] }]
    .map((it) => unstorableIn(it))
    .find((it) => it !== null);
  if (at == null) return;
  const field = at === '' ? ({ zh: '请求内容', en: 'The request' } as const) : { module, field: at };
  throw new Refusal({ key: 'unstorable', field: at, args: { field } });
}

/**
 * The path of the first one, as `rows.2.remark`; null where there is none. For a property name that can't be shown, the
 * path of its object.
 */
function unstorableIn(value: unknown): string | null {
  if (typeof value === 'string') return isStorable(value) ? null : '';
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const found = unstorableIn(value[i]);
      if (found !== null) return pathOf(String(i), found);
    }
    return null;
  }
  for (const name of Object.keys(value)) {
    if (!isStorable(name)) return '';
    const found = unstorableIn((value as Record<string, unknown>)[name]);
    if (found !== null) return pathOf(name, found);
  }
  return null;
}

const pathOf = (name: string, inside: string): string => (inside === '' ? name : `${name}.${inside}`);
