import { useTranslate } from 'ra-core';
import type { Field, Option } from '#domain/definition/grammar.ts';
import { EMPTY } from '#app/fields/format.ts';
import { useLanguage } from '#app/session.ts';

/** What the parts of a module are called, by their names. */
export interface Names {
  fields: Readonly<Record<string, object | null>>;
  buttons: readonly { btnNo: string; label: Words }[];
}

/** In one language, or in both. */
export type Spoken = 'zh' | 'en' | 'both';

type Words = Readonly<Record<'zh' | 'en', string>>;

/** Parts whose texts stand elsewhere than under their names. */
const TITLES: Readonly<Record<string, string>> = { label: 'configure.listName', definition: 'newModule.action' };
/** Parts that hold names of fields. */
const OF_FIELDS = ['definition', 'list', 'search', 'form', 'detail', 'indexes', 'lines'];

/** A place in a definition as its editor calls it, and what stands there: fields by their labels, types by their names. */
export function useWording({ fields, buttons }: Names) {
  const translate = useTranslate();
  const lang = useLanguage();
  const say = (key: string, otherwise: string): string => translate(`studio.${key}`, { _: otherwise });
  const labelOf = (name: string): string | undefined => (fields[name] as { label?: Words } | undefined)?.label?.[lang];
  const sayPlace = (path: string): string => {
    const [part = '', name, ...rest] = path.split('.');
    const words = [TITLES[part] ? say(TITLES[part], part) : say(`configure.${part}`, say(`${part}.title`, part))];
    if (name !== undefined) {
      const label = { fields: labelOf(name), buttons: buttons.find((it) => it.btnNo === name)?.label[lang] }[part];
      words.push(label ?? say(`${part}.${name}`, name));
    }
    const properties = part === 'fields' ? 'field' : part;
    return [...words, ...rest.map((it) => say(`${properties}.${it}`, it))].join(' · ');
  };
  const sayName = (path: string, name: string): string =>
    (OF_FIELDS.includes(path.split('.')[0] ?? '') ? labelOf(name) : undefined) ?? name;
  const sayType = (type: string): string => say(`field.types.${type}`, type);
  const sayValue = (path: string, value: unknown, spoken: Spoken): string =>
    saidOf(value, { lang: spoken, sayName: (name) => sayName(path, name), sayType });
  return { sayPlace, sayValue };
}

interface ValueWording {
  lang: Spoken;
  sayName: (name: string) => string;
  sayType: (type: string) => string;
}

/** A value of a definition as one reads it: words in the language, names with commas, the rest as it is kept. */
function saidOf(value: unknown, wording: ValueWording): string {
  const { lang, sayName, sayType } = wording;
  const say = (it: unknown) => saidOf(it, wording);
  if (value === null || value === undefined) return EMPTY;
  if (Array.isArray(value))
    return value.every((it) => typeof it === 'string')
      ? value.map((it) => sayName(it)).join(', ')
      : value.map((it) => say(it)).join(' | ');
  if (typeof value !== 'object') return String(value);
  if ('zh' in value && 'en' in value) {
    const { zh, en } = value as { zh: string; en: string };
    return { zh, en, both: `${zh} / ${en}` }[lang];
  }
  if ('type' in value && 'label' in value) {
    const { type, label, computed } = value as Field;
    return `${say(label)} (${sayType(type)})${computed === undefined ? '' : ` = ${computed}`}`;
  }
  if ('value' in value && 'label' in value) {
    const { label, tone, retired } = value as Option;
    return [say(label), tone, retired && 'retired'].filter(Boolean).join(', ');
  }
  if ('fields' in value)
    return Object.keys(value.fields as object)
      .map((it) => sayName(it))
      .join(', ');
  return JSON.stringify(value);
}
