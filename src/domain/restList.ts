import { Type } from 'typebox';

/** The most rows that one page of a list under `/rest` holds. */
export const MAX_REST_PAGE = 200;

/**
 * How a list under `/rest` is asked for, in the words of react-admin's simple REST provider, which are JSON texts:
 * `sort=["id","DESC"]` (each list has one order), `range=[0,24]` (both ends included), `filter={"text":"…"}`.
 * Rule: wire#rest.
 */
export const restList = (sort: string) =>
  Type.Object({
    sort: Type.Optional(Type.Literal(JSON.stringify([sort, 'DESC']))),
    range: Type.Optional(Type.String({ maxLength: 20 })),
    filter: Type.Optional(Type.String({ maxLength: 500 })),
  });
