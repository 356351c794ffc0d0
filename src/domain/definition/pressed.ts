import type { Button, Definition } from '#domain/definition/grammar.ts';
import { mayDo } from '#domain/rights.ts';

/**
 * The buttons that a call of a module may be: those with its script that somebody may press, as each of their rights opens
 * it; without rights, or where none may be pressed, all with its script. Rule: rights#buttons.
 * @param rights of who calls
 */
export function pressableButtons(
  { module, buttons = [] }: Definition,
  scripts: readonly string[],
  rights?: ReadonlySet<string>,
): Button[] {
  const meant = buttons.filter((it) => scripts.includes(it.script));
  const his = meant.filter((it) => rights && mayDo(rights, `${module}:${it.btnNo}`));
  return his.length > 0 ? his : meant;
}

/** The first of them, so that a button which is added takes a right from nobody. */
export const pressedButton = (...asked: Parameters<typeof pressableButtons>): Button | undefined =>
  pressableButtons(...asked)[0];
