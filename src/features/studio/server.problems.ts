import type { DefinitionProblem } from '#domain/definition/problems.ts';
import { say } from '#domain/say.ts';
import type { Language, Words } from '#domain/words.ts';
import en from '#i18n/en/studio.json' with { type: 'json' };
import zh from '#i18n/zh/studio.json' with { type: 'json' };

/** A problem as the check says it, in both languages. */
export const inWords = ({ kind, rule, name = '', count = 1 }: DefinitionProblem): Words => {
  const saidIn = (all: Record<string, string>, lang: Language) => {
    const forms = (all[rule ?? kind] ?? kind).split(' |||| ');
    const form = forms[count === 1 ? 0 : forms.length - 1] as string;
    return say(form, { name, smart_count: count }, lang, String);
  };
  return { zh: saidIn(zh.problems, 'zh'), en: saidIn(en.problems, 'en') };
};

export const asTold = ({ kind, rule, where, path = '', name = '', count, suggestion }: DefinitionProblem) => ({
  ...{ kind, module: where, path, name },
  ...(rule !== undefined && { rule }),
  ...(count !== undefined && { count }),
  ...(suggestion !== undefined && { suggestion }),
});
