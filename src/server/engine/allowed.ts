import { holds } from '#domain/definition/fieldRules.ts';
import type { Button, Definition } from '#domain/definition/grammar.ts';
import { allowedRows } from '#domain/definition/writes.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Row } from '#server/engine/rows.ts';
import { wrongState } from '#server/engine/wrongState.ts';

/**
 * The server holds by what the module allows, whatever buttons there are, and by what the toolbar offers: a button whose
 * condition the row does not meet cannot be pressed. Without a row it asks whether any may be written so. Rule:
 * definitions#writes.
 */
export function refuseUnallowed(
  definition: Definition,
  asked: Pick<Button, 'script' | 'field' | 'when'>,
  row?: Row,
): void {
  const allowed = allowedRows(definition, asked);
  if (!allowed) throw new Refusal({ key: 'notAllowed', args: { what: definition.label } });
  if (!row) return;
  const conditions = [...Object.entries(allowed), ...Object.entries(asked.when ?? {})];
  const unmet = conditions.find(([field, values]) => !holds({ [field]: values }, row));
  if (unmet) throw wrongState(definition, row, [unmet[1]].flat(), unmet[0]);
}

/** The same of a script, with the condition of the button that names it. */
export const refuseUnallowedScript = (definition: Definition, script: string, row?: Row): void =>
  refuseUnallowed(definition, { ...definition.buttons?.find((it) => it.script === script), script }, row);
