import type { GenericAction } from '#server/engine/genericAction.ts';
import { importScripts } from '#server/imports/importers.ts';
import { findButton } from '#server/uploads/byModule.ts';
import { documentScripts } from '#server/uploads/documents.ts';

/** The calls of modules that take a file: mounted beside the generic ones, with the right of the button of their script. */
export const fileCalls: readonly Pick<GenericAction, 'method' | 'name' | 'rightOf'>[] = [
  ...importScripts,
  ...documentScripts,
].map((script) => ({
  method: 'POST',
  name: script,
  rightOf: (definition) => {
    const button = findButton(definition, script);
    return button && `${definition.module}:${button.btnNo}`;
  },
}));
