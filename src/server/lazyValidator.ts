import AjvCompiler from '@fastify/ajv-compiler';
import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify';

type Check = ((input: unknown) => boolean) & { errors?: FastifySchemaValidationError[] | null };

export const compileValidator = AjvCompiler()(
  {},
  { customOptions: { allErrors: true, coerceTypes: true, removeAdditional: false, useDefaults: false } },
) as unknown as (route: unknown) => Check;

/**
 * The check of an input is built when the first one comes: to build those of all calls would take longer than everything
 * else that the server does before it is ready. That each can be built is proven by a test.
 */
export const lazyValidator: FastifySchemaCompiler<unknown> = (route) => {
  let built: Check | undefined;
  const check: Check = (input) => {
    built ??= compileValidator(route);
    const isValid = built(input);
    check.errors = built.errors ?? null;
    return isValid;
  };
  return check as ReturnType<FastifySchemaCompiler<unknown>>;
};
