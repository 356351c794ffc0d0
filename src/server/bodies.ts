import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { parse as parseForm } from 'node:querystring';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { MAX_ROWS } from '#domain/bulk.ts';
import { Refusal } from '#domain/refusal.ts';

/**
 * How deep objects and arrays of a body may be nested, how many of them and of all values it may hold, and an object of those
 * names: a bulk run says of each of its rows by name which version was seen. The most that any call takes are 20,000 lines.
 */
export const JSON_LIMITS = { depth: 32, nodes: 50_000, values: 200_000, names: MAX_ROWS } as const;

/** The whole body of a call that anybody may make, in bytes: none of them takes more than a few names. */
export const PUBLIC_BODY_LIMIT = 8 * 1024;

/** More names than any form has; what comes after them is not read. */
const MOST_OF_FORM = 1000;
/** From so many letters or bytes on, a body waits for its turn. */
const LARGE = 4 * 1024;
/** Turns of the event loop between two of them: another call needs some to be taken, read and answered. */
const TURNS_BETWEEN = 5;

/** So many pieces of a body may be of any size. */
const ANY_PIECES = 256;
/** What a piece has to hold on average beyond them, in bytes. */
const LEAST_OF_PIECE = 512;

/** So many parts an upload may have: more than any call takes, so that whoever sends a few too many is told. */
const MOST_PARTS = 64;
/** What stands before each part whatever the boundary is, as a file may hold it as well. */
const ANY_DELIMITER = '\r\n--';
/** Where Node's parser of a connection keeps what it calls for each piece of a body (`HTTPParser.kOnBody`). */
const ON_PIECE = 3;
/** So many requests of a connection may wait for their answers: browsers and proxies send the next one after the answer. */
const MOST_UNANSWERED = 8;

const [QUOTE, BACKSLASH, COMMA, PLUS] = ['"', '\\', ',', '+'].map((it) => it.charCodeAt(0));
const SPACE = ' '.charCodeAt(0);
const [ARRAY, ARRAY_END, OBJECT, OBJECT_END] = ['[', ']', '{', '}'].map((it) => it.charCodeAt(0));

/**
 * Which limit a text of JSON goes over first, if any, told before anything walks what it says. Reads each character once; a
 * text that is no JSON is left to the parser. Rule: wire#bodies.
 */
export function findLimitPassed(text: string): keyof typeof JSON_LIMITS | undefined {
  const { depth: deepest, nodes: mostNodes, values: most, names } = JSON_LIMITS;
  /** Of each object and array around: how many it may hold, and holds so far. */
  const limits: number[] = [most];
  const held = [1];
  let depth = 0;
  let nodes = 0;
  let values = 1;
  let isInString = false;
  for (let i = 0; i < text.length; i++) {
    const it = text.charCodeAt(i);
    if (isInString) {
      if (it === BACKSLASH) i += 1;
      else if (it === QUOTE) isInString = false;
    } else if (it === QUOTE) isInString = true;
    else if (it === ARRAY || it === OBJECT) {
      depth += 1;
      nodes += 1;
      if (depth > deepest) return 'depth';
      if (nodes > mostNodes) return 'nodes';
      limits[depth] = it === OBJECT ? names : most;
      held[depth] = 1;
    } else if (it === ARRAY_END || it === OBJECT_END) depth = Math.max(0, depth - 1);
    else if (it === COMMA) {
      const inside = (held[depth] ?? 0) + 1;
      held[depth] = inside;
      values += 1;
      if (values > most) return 'values';
      if (inside > (limits[depth] ?? most)) return 'names';
    }
  }
  return undefined;
}

/** Of each connection how many of its requests are not answered yet. */
const unanswered = new WeakMap<Socket, number>();

/**
 * A request as the server reads it. Each piece of a body costs the same however small it is, in time and in memory: one that
 * comes in crumbs is cut off before they add up. So is an upload of more parts than any call takes, and a connection that asks
 * and asks without waiting for an answer: all that has come of them would be read in one go. Rule: wire#bodies.
 */
export class IncomingRequest extends IncomingMessage {
  #pieces = 0;
  #bytes = 0;
  #parts = 0;
  #delimiter: string | null | undefined;
  /** Set before a field of this class could be. */
  declare private isUpgrade: boolean | undefined;

  constructor(socket: Socket) {
    super(socket);
    const waiting = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, waiting);
    if (waiting > MOST_UNANSWERED) socket.destroy();
  }

  /** Node parses all that has come of a connection, also of one that is closed, unless it asks for another protocol. */
  get upgrade(): boolean {
    return this.isUpgrade === true || (unanswered.get(this.socket) ?? 0) > MOST_UNANSWERED;
  }

  set upgrade(it: boolean) {
    this.isUpgrade = it;
  }

  override push(piece: Buffer | null): boolean {
    // What was read of it in the same go still comes.
    if (this.destroyed) return false;
    if (piece) {
      this.#pieces += 1;
      this.#bytes += piece.length;
      const isCrumbs = this.#pieces > ANY_PIECES && this.#bytes < this.#pieces * LEAST_OF_PIECE;
      if (isCrumbs || this.#hasTooManyParts(piece)) {
        this.#passOverRest();
        this.destroy();
        return false;
      }
    }
    return super.push(piece);
  }

  /** Node hands over all pieces that were read in the same go, also those of a closed connection; the parser serves others later. */
  #passOverRest(): void {
    const { parser } = this.socket as Socket & { parser?: Record<number, unknown> | null };
    const onPiece = parser?.[ON_PIECE];
    if (!parser || typeof onPiece !== 'function') return;
    parser[ON_PIECE] = undefined;
    setImmediate(() => (parser[ON_PIECE] = onPiece));
  }

  #hasTooManyParts(piece: Buffer): boolean {
    this.#delimiter ??= delimiterOf(this.headers['content-type'] ?? '');
    if (this.#delimiter === null) return false;
    for (let at = piece.indexOf(this.#delimiter); at >= 0; at = piece.indexOf(this.#delimiter, at + 1)) {
      this.#parts += 1;
      if (this.#parts > MOST_PARTS) return true;
    }
    return false;
  }
}

/** What stands before each part of an upload, null of any other body. Where the type can be read in two ways, what stands there in both. */
function delimiterOf(type: string): string | null {
  if (!/^multipart\//i.test(type)) return null;
  const [, , boundary] = /^multipart\/form-data; ?boundary=("?)([\w'()+,./:=?-]{1,70})\1$/i.exec(type) ?? [];
  return boundary === undefined ? ANY_DELIMITER : `--${boundary}`;
}

/** Counts the answers of a server whose requests are `IncomingRequest`. */
export function countAnswers(server: FastifyInstance['server']): void {
  server.on('request', ({ socket }, reply) => {
    reply.once('close', () => unanswered.set(socket, Math.max(0, (unanswered.get(socket) ?? 0) - 1)));
  });
}

/**
 * What is large is worked one at a time, and others have some turns of the event loop in between; what is small goes on at once.
 */
export function createLoopTurns(): (large: { length: number }) => Promise<void> | undefined {
  let turn: Promise<void> = Promise.resolve();
  const letOthersGo = async () => {
    for (let left = TURNS_BETWEEN; left > 0; left--) await turnOfLoop();
  };
  return ({ length }) => (length > LARGE ? (turn = turn.then(letOthersGo)) : undefined);
}

/**
 * Takes forms, and JSON within the limits. A POST without a body, or with an empty one, is an empty object: its rules then
 * say what is missing. Of large bodies one is read at a time, and then others have some turns of the event loop, so that
 * however many come at once, what else is asked is answered in between. Rule: wire#bodies.
 */
export function addBodyParsers(app: FastifyInstance): void {
  const takeTurn = createLoopTurns();
  const parse = app.getDefaultJsonParser('error', 'error');

  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (request: FastifyRequest, text: string) => {
    if (text === '') return {};
    await takeTurn(text);
    const passed = findLimitPassed(text);
    if (passed === 'names') throw new Refusal({ key: 'tooManyNames', field: 'body', args: { max: JSON_LIMITS.names } });
    if (passed) throw Object.assign(new Error('nested too deeply'), { statusCode: 400 });
    return new Promise((done, fail) => {
      void parse(request, text, (error, value) => (error ? fail(error) : done(value)));
    });
  });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    async (_: FastifyRequest, bytes: Buffer) => {
      await takeTurn(bytes);
      // Each plus sign takes the parser as long as a name does.
      for (let at = 0; at < bytes.length; at++) if (bytes[at] === PLUS) bytes[at] = SPACE;
      return parseForm(bytes.toString(), '&', '=', { maxKeys: MOST_OF_FORM });
    },
  );
}
