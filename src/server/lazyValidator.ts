import AjvCompiler from '@fastify/ajv-compiler';
import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify';
import { WRITTEN_AS } from '#domain/written.ts';
import { Refusal } from '#domain/refusal.ts';
import { moduleOf, readInput, separatorsIn, type RowNames, type Schema } from '#server/readInput.ts';

type Check = ((input: unknown) => boolean) & { errors?: FastifySchemaValidationError[] | null };

/** Nothing is coerced by the check: what can be read as the schema has it was read before. */
export const compileValidator = AjvCompiler()(
  {},
  {
    customOptions: {
      ...{ allErrors: true, coerceTypes: false, removeAdditional: false, useDefaults: false },
      keywords: [WRITTEN_AS],
    },
  },
) as unknown as (route: unknown) => Check;

/**
 * The reading and the check of an input. The check is built when the first one comes: to build those of all calls would
 * take longer than everything else that the server does before it is ready. That each can be built is proven by a test.
 */
export const lazyValidator =
  (names: RowNames): FastifySchemaCompiler<unknown> =>
  (route) => {
    let check: Check | undefined;
    const { schema, url = '' } = route as { schema: Schema; url?: string };
    return (input: unknown) => {
      check ??= compileValidator(route);
      const value = readInput(schema, input, url, names);
      if (!check(value)) return { error: (check.errors ?? []) as never };
      const [first, ...rest] = separatorsIn(schema, value, moduleOf(url));
      return first ? { error: new Refusal([first, ...rest]) } : { value };
    };
  };
