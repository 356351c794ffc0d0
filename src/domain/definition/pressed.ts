import type { Button, Definition } from '#domain/definition/grammar.ts';
import { mayDo } from '#domain/rights.ts';

/**
 * The button that a call of a module is: of several with its script the first that somebody may press, so that one which is
 * added takes a right from nobody; without rights, or where none may be pressed, the first. Rule: rights#buttons.
 * @param rights of who calls
 */
export function pressedButton(
  { module, buttons = [] }: Definition,
  scripts: readonly string[],
  rights?: ReadonlySet<string>,
): Button | undefined {
  const meant = buttons.filter((it) => scripts.includes(it.script));
  return meant.find((it) => rights && mayDo(rights, `${module}:${it.btnNo}`)) ?? meant[0];
}
