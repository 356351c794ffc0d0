import { useTranslate } from 'ra-core';
import type { DefinitionChange } from '#domain/definition/change.ts';
import { MENU } from '#domain/definition/overlay.ts';
import { useLanguage } from '#app/session.ts';
import type { Before } from './rules.differences.ts';
import type { Names } from './rules.naming.ts';
import { createWording } from './rules.wording.ts';

/** What a part of a draft or of a publish changes, what it is laid over, and what its names are called. */
export interface ToldPart {
  module: string;
  change: DefinitionChange;
  before: Before;
}

/** Says a part of a draft or of a publish in the language of the user, and what its module is called. */
export function useWording({ module, change, before }: ToldPart, names: Names) {
  const translate = useTranslate();
  const lang = useLanguage();
  const label = change.definition?.label ?? before.definition?.label ?? names.modules[module];
  const say = (key: string, otherwise: string): string => translate(`studio.${key}`, { _: otherwise });
  const name = label?.[lang] ?? (module === MENU ? translate('studio.menu.title') : module);
  return { name, ...createWording({ names, before, change, lang, say }) };
}
