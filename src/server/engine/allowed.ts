import { holds } from '#domain/definition/fieldRules.ts';
import type { Button, Definition } from '#domain/definition/grammar.ts';
import { pressableButtons } from '#domain/definition/pressed.ts';
import { allowedRows, offeredRows } from '#domain/definition/writes.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import type { Row } from '#server/engine/rows.ts';
import { wrongState } from '#server/engine/wrongState.ts';

/** What is asked for: a script, and of an upload the field that it fills. */
type Asked = Pick<Button, 'script' | 'field'>;

/** Whether a module lets any row be written so, whatever buttons there are. Rule: definitions#writes. */
export function refuseUnwritten(definition: Definition, asked: Asked): void {
  if (!allowedRows(definition, asked)) throw new Refusal({ key: 'notAllowed', args: { what: definition.label } });
}

/**
 * The server holds by what the module allows, and by what the toolbar offers: what no button that the caller may press is
 * offered for cannot be done to the row. Rule: definitions#writes.
 * @param scripts of the buttons that count, where others do the same as the one that is asked for
 */
export function refuseUnallowed(
  definition: Definition,
  asked: Asked,
  row: Row,
  { currentUser }: Pick<Context, 'currentUser'>,
  scripts: readonly string[] = [asked.script],
): void {
  refuseUnwritten(definition, asked);
  const buttons = pressableButtons(definition, scripts, currentUser.rights).filter((it) => it.field === asked.field);
  const conditions = buttons.length > 0 ? buttons.map(({ when }) => when) : [undefined];
  const offers = conditions.map((when) =>
    Object.entries(offeredRows(definition, { ...asked, ...(when && { when }) }) ?? {}),
  );
  const unmet = offers.map((all) => all.filter(([name, values]) => !holds({ [name]: values }, row)));
  if (unmet.some((it) => it.length === 0)) return;
  const [name = ''] = unmet[0]?.[0] ?? [];
  const expected = unmet.flatMap((all) => all.filter(([other]) => other === name)).flatMap(([, values]) => values);
  throw wrongState(definition, row, [...new Set(expected)], name);
}
