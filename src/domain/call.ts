import type { Static, TSchema } from 'typebox';

/**
 * Who may make a call: anybody, everybody who is signed in, or a holder of `module:button`.
 * A page's data needs `module:list`; a button's call needs `module:btnNo`. Programs hold tokens of their own.
 * Rule: rights#calls.
 */
export type Right = 'public' | 'signedIn' | ModuleRight | ServiceRight;
export type ModuleRight = `${string}:${string}`;
/** A holder of a service token for this, and of no session: `service/hashRateIngest`. Rule: sessions#services. */
type ServiceRight = `service/${string}`;

/** One call of the wire: what goes in (`:names` of the path, body of a POST or PUT, query of a GET) and what comes back, known to both sides. */
export interface Call<Input extends TSchema = TSchema, Data extends TSchema = TSchema> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: `/${string}`;
  right: Right;
  /** Why it is enough that somebody is signed in, or that nobody is: said wherever no right is asked for. */
  why?: string;
  /**
   * A call that writes runs in one transaction under its idempotency key; a lookup only reads. Rule: writing#submits.
   */
  writes: boolean;
  /** It is answered with a stream of events, each holding the data. Rule: wire#streams. */
  streams?: true;
  input: Input;
  data: Data;
}

/** A right, or the reason why none is asked for. */
type Access = { right: ModuleRight | ServiceRight; why?: never } | { right: 'public' | 'signedIn'; why: string };

type CallOptions<Input extends TSchema, Data extends TSchema> = Omit<
  Call<Input, Data>,
  'writes' | 'streams' | 'method' | 'right' | 'why'
> &
  Access & { method?: Call['method'] };

/** A call that only asks: GET unless the wire has it as POST. Rule: wire#methods. */
export const lookup = <Input extends TSchema, Data extends TSchema>(
  it: CallOptions<Input, Data>,
): Call<Input, Data> => ({
  method: 'GET',
  writes: false,
  ...it,
});

/** A call that is told what is news for as long as it listens. Rule: wire#streams. */
export const stream = <Input extends TSchema, Data extends TSchema>(
  it: Omit<CallOptions<Input, Data>, 'method'> & Access,
): Call<Input, Data> => ({
  method: 'GET',
  writes: false,
  streams: true,
  ...it,
});

/** A call that writes: POST unless the wire has it as GET. Rule: wire#methods. */
export const submit = <Input extends TSchema, Data extends TSchema>(
  it: CallOptions<Input, Data>,
): Call<Input, Data> => ({
  method: 'POST',
  writes: true,
  ...it,
});

export type InputOf<C> = C extends Call<infer Input, TSchema> ? Static<Input> : never;
export type DataOf<C> = C extends Call<TSchema, infer Data> ? Static<Data> : never;

/** What every answer of the API looks like; `'000000'` is success. Rule: wire#answers. */
export interface Envelope<Data = unknown> {
  code: string;
  msg: string;
  data: Data;
}
export const SUCCESS = '000000';
export const NO_SESSION = '401';
