import type { FastifyInstance } from 'fastify';

/** How deep objects and arrays of a body may be nested, and how many values it may hold. */
export const JSON_LIMITS = { depth: 32, values: 200_000 } as const;

/** The whole body of a call that anybody may make, in bytes: none of them takes more than a few names. */
export const PUBLIC_BODY_LIMIT = 8 * 1024;

const OPENS = new Set(['[', '{']);
const CLOSES = new Set([']', '}']);

/**
 * Whether a text of JSON keeps to the limits, told before anything walks what it says. Reads each character once; a text
 * that is no JSON is left to the parser. Rule: wire#bodies.
 */
export function isWithinLimits(text: string): boolean {
  let depth = 0;
  let values = 1;
  let isInString = false;
  for (let i = 0; i < text.length; i++) {
    const it = text[i] as string;
    if (isInString) {
      if (it === '\\') i += 1;
      else if (it === '"') isInString = false;
    } else if (it === '"') isInString = true;
    else if (OPENS.has(it)) depth += 1;
    else if (CLOSES.has(it)) depth -= 1;
    else if (it === ',') values += 1;
    if (depth > JSON_LIMITS.depth || values > JSON_LIMITS.values) return false;
  }
  return true;
}

/**
 * Takes JSON within the limits. A POST without a body, or with an empty one, is an empty object: its rules then say what
 * is missing.
 */
export function addJsonParser(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body as string;
    if (text === '') return done(null, {});
    if (!isWithinLimits(text)) return done(Object.assign(new Error('nested too deeply'), { statusCode: 400 }));
    return parse(request, text, done);
  });
}
