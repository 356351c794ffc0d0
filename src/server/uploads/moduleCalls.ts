import { pressedButton } from '#domain/definition/pressed.ts';
import type { GenericAction } from '#server/engine/genericAction.ts';
import { importScripts } from '#server/imports/importers.ts';
import { documentScripts } from '#server/uploads/documents.ts';

/** The calls of modules that take a file: mounted beside the generic ones, with the right of the button of their script. */
export const fileCalls: readonly Pick<GenericAction, 'method' | 'name' | 'rightOf'>[] = [
  ...importScripts,
  ...documentScripts,
].map((script) => ({
  method: 'POST',
  name: script,
  rightOf: (definition, _, rights) => {
    const button = pressedButton(definition, [script], rights);
    return button && `${definition.module}:${button.btnNo}`;
  },
}));
