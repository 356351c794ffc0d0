import type { FastifyRequest } from 'fastify';
import type { Button, Definition } from '#domain/definition/grammar.ts';
import { pressedButton } from '#domain/definition/pressed.ts';
import { Refusal } from '#domain/refusal.ts';
import { mayDo } from '#domain/rights.ts';
import type { Context } from '#server/context.ts';

/** Who asks and with what, by the header `token` alone; refuses with '401'. */
export type Enter = (request: FastifyRequest) => Promise<Context>;

/** A call of a module that a button brings: the module, its button, and who asks. */
export interface ModuleCall {
  ctx: Context;
  definition: Definition;
  button: Button;
}

/**
 * Who may make a call that a button brings: refused with '401' without a session, as not existing where the module has
 * no such button, with 100013 without the button's right.
 */
export async function enterModule(request: FastifyRequest, script: string, enter: Enter): Promise<ModuleCall> {
  const ctx = await enter(request);
  const { module } = request.params as { module: string };
  const definition = ctx.model.definitions.get(module);
  const button = definition && pressedButton(definition, [script], ctx.currentUser.rights);
  if (!definition || !button) {
    throw new Refusal({ key: 'noSuchCall', args: { path: `/api/${module.slice(0, 60)}/${script}.json` } });
  }
  if (!mayDo(ctx.currentUser.rights, `${module}:${button.btnNo}`)) throw new Refusal({ key: 'noRight' });
  return { ctx, definition, button };
}

/** The idempotency key of a request; multipart bodies have one like any other write. */
export function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string') return undefined;
  if (key.length > 200) throw new Refusal({ key: 'tooLong', args: { field: 'Idempotency-Key', max: 200 } });
  return key;
}
