import { XMLParser, XMLValidator } from 'fast-xml-parser';
import type { Sso } from '#server/config.ts';

/** What a CAS 3.0 server says of a ticket. */
type CasAnswer = { user: string } | { refused: string } | { unreachable: string };

const TIMEOUT_MS = 4000;
const MAX_BYTES = 64 * 1024;
const NAMESPACE = 'http://www.yale.edu/tp/cas';

/**
 * Asks the configured CAS 3.0 server (`/p3/serviceValidate`) whose ticket this is. Only that address is ever fetched,
 * no redirect is followed, ticket and service are encoded; it has 4 s and 64 KB. An answer that is not exactly one of
 * the protocol's two, that declares entities, or whose user is not one plain text is no answer.
 * Rule: sessions#single-sign-on.
 */
export async function validateTicket(sso: Sso, ticket: string, timeoutMs = TIMEOUT_MS): Promise<CasAnswer> {
  const address = new URL(sso.validateUrl);
  address.searchParams.set('service', sso.serviceUrl);
  address.searchParams.set('ticket', ticket);
  try {
    const response = await fetch(address, {
      redirect: 'error',
      headers: { accept: 'application/xml, text/xml' },
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      return { unreachable: `HTTP ${response.status}` };
    }
    return readAnswer(await readText(response));
  } catch (error) {
    return { unreachable: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
}

/** Reads no more than is allowed, whatever the length header claims. */
async function readText(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > MAX_BYTES) throw new Error(`more than ${MAX_BYTES} bytes`);
    parts.push(part);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
}

const parser = new XMLParser({
  ignoreAttributes: false,
  processEntities: false,
  parseTagValue: false,
  parseAttributeValue: false,
});

/** The protocol's answer as XML, judged. */
export function readAnswer(xml: string): CasAnswer {
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) return { unreachable: 'a document type is not allowed' };
  if (XMLValidator.validate(xml) !== true) return { unreachable: 'no well-formed XML' };
  const document = parser.parse(xml) as Record<string, unknown>;
  const [prefix, root] = findRoot(document);
  if (!root) return { unreachable: 'no serviceResponse of CAS' };
  const success = root[`${prefix}authenticationSuccess`];
  const failure = root[`${prefix}authenticationFailure`];
  if (success === undefined && failure !== undefined) return { refused: codeOf(failure) };
  if (!isNode(success) || failure !== undefined) return { unreachable: 'neither success nor failure' };
  const user = success[`${prefix}user`];
  const isPlain = typeof user === 'string' && user !== '' && user.length <= 100 && !/[&<>\p{Cc}]/u.test(user);
  return isPlain ? { user } : { unreachable: 'no plain user' };
}

type Node = Record<string, unknown>;
const isNode = (it: unknown): it is Node => typeof it === 'object' && it !== null && !Array.isArray(it);

/** The answer's root and the prefix that it gave to the protocol's namespace. */
function findRoot(document: Node): [prefix: string, root: Node | undefined] {
  const [name, ...others] = Object.keys(document).filter((it) => !it.startsWith('?'));
  const root = name === undefined ? undefined : document[name];
  const prefix = /^(\w+:)?serviceResponse$/.exec(name ?? '')?.[1] ?? '';
  const declared = prefix ? `@_xmlns:${prefix.slice(0, -1)}` : '@_xmlns';
  const isCas =
    name?.endsWith('serviceResponse') && others.length === 0 && isNode(root) && root[declared] === NAMESPACE;
  return [prefix, isCas ? root : undefined];
}

function codeOf(failure: unknown): string {
  const code = isNode(failure) ? failure['@_code'] : undefined;
  return typeof code === 'string' ? code.slice(0, 50) : 'no code';
}
