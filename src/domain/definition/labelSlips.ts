import { bareHead, headsOf } from '#domain/definition/heads.ts';
import type { Button, Definition, MenuNode, Option } from '#domain/definition/grammar.ts';
import { deedOf } from '#domain/definition/writes.ts';
import { hiddenSignOf } from '#domain/signs.ts';
import { inBoth, type Words } from '#domain/words.ts';
import { readAs } from '#domain/definition/readAlike.ts';

/** What is wrong with a label: which rule, where, and the words or the sign that it is said of. */
export type LabelSlip = [rule: string, path: string, name: string];

/**
 * Labels of a module that hold what nobody sees, those of one form that an import could not tell apart, and those of buttons that
 * stand beside each other and read alike.
 */
export function labelSlips(definition: Definition): LabelSlip[] {
  const { label, one = label, fields, buttons = [], list } = definition;
  const said: [path: string, label: Words | undefined][] = [
    ['label', label],
    ['one', one === label ? undefined : one],
    ...Object.entries(fields).flatMap(([name, it]): [string, Words | undefined][] => [
      [`fields.${name}.label`, it.label],
      [`fields.${name}.unit`, it.unit],
    ]),
    ...buttons.map((it): [string, Words] => [`buttons.${it.btnNo}.label`, it.label]),
    ...(list?.groups ?? []).map((it): [string, Words] => ['list.groups', it.label]),
  ];
  return [...said.flatMap(([path, it]) => hiddenIn(path, it)), ...alikeIn(definition), ...alikeButtons(buttons)];
}

/** By language and words, as these read, the lists that are called so. */
export type ModulesByName = ReadonlyMap<string, readonly Definition[]>;

/** What `alikeModules` looks through, for any number of modules. */
export function modulesByName(all: Iterable<Definition>): ModulesByName {
  const byName = new Map<string, Definition[]>();
  for (const it of all) for (const name of readIn(it.label)) byName.set(name, [...(byName.get(name) ?? []), it]);
  return byName;
}

/** Other lists that read as one that is made or called anew: whoever opens it takes it for them. */
export const alikeModules = ({ module, label }: Definition, byName: ModulesByName): LabelSlip[] =>
  [...new Set(readIn(label).flatMap((it) => byName.get(it) ?? []))]
    .filter((it) => it.module !== module)
    .map((it) => ['moduleAlike', 'label', wordsOf(it)]);

/** The same of the groups of the menu. */
export const menuLabelSlips = (nodes: readonly MenuNode[]): LabelSlip[] =>
  nodes.flatMap((it) => [...hiddenIn(it.menuNo, it.label), ...menuLabelSlips(it.children ?? [])]);

/** The same of the values of a list, which are read as well where they have no words. */
export const optionLabelSlips = (list: string, values: readonly Option[]): LabelSlip[] =>
  values.flatMap(({ value, label }) =>
    hiddenIn(`options.${list}`, { zh: `${value}${label.zh}`, en: label.en }).slice(0, 1),
  );

const hiddenIn = (path: string, label: Words | undefined): LabelSlip[] =>
  [label?.zh, label?.en].flatMap((it) => {
    const sign = hiddenSignOf(it ?? '');
    return sign === undefined ? [] : [['labelSigns', path, sign] as LabelSlip];
  });

/** A head of a workbook is a label in either language, or else a name: of two fields alike nobody knows which is meant. */
function alikeIn({ fields, form = [] }: Definition): LabelSlip[] {
  const there = new Set(form.flat());
  const entered = Object.entries(fields).filter(([name, it]) => there.has(name) && it.type !== 'password');
  const heads = entered.map(([, it]) => headsOf(it));
  const named = new Map<string, number[]>();
  for (const [i, [name]] of entered.entries()) {
    const head = bareHead(name);
    named.set(head, [...(named.get(head) ?? []), i]);
  }
  /** Of the fields before this one, the first with such a head or such words. */
  const first = new Map<string, number>();
  return entered.flatMap(([name, field], i): LabelSlip[] => {
    const path = `fields.${name}.label`;
    const own = [...(heads[i] ?? [])];
    const words = [...own.map((it) => `head ${it}`), ...readIn(field.label)];
    const earlier = Math.min(...words.map((it) => first.get(it) ?? Infinity));
    for (const it of words) if (!first.has(it)) first.set(it, i);
    const alike = entered[earlier];
    if (alike) return [['labelAlike', path, wordsOf(alike[1])]];
    const others = own.flatMap((head) => (named.get(head) ?? []).filter((it) => it !== i && !heads[it]?.has(head)));
    const other = entered[Math.min(...others)];
    return other ? [['labelAsName', path, other[0]]] : [];
  });
}

const wordsOf = ({ label: { zh, en } }: { label: Words }): string => inBoth(zh, en);

type Heads = ReturnType<typeof headsOf>;
const haveOne = (heads: Heads, others: Heads): boolean => [...heads].some((it) => others.has(it));

const headsIn = ({ fields }: Definition): ReadonlyMap<string, Heads> =>
  new Map(Object.entries(fields).map(([name, it]) => [name, headsOf(it)]));

/** Fields that are called now as another one was, which is there still: a sheet from before would fill the wrong one. */
export function movedLabels(before: Definition, after: Definition): LabelSlip[] {
  const [were, are] = [headsIn(before), headsIn(after)];
  return [...are].flatMap(([name, heads]): LabelSlip[] => {
    const own = were.get(name);
    if (own && [...heads].every((it) => own.has(it))) return [];
    const from = [...were].find(([other, its]) => {
      const now = are.get(other);
      return other !== name && now && haveOne(heads, its) && !haveOne(heads, now);
    });
    const field = from && before.fields[from[0]];
    return field ? [['labelMoved', `fields.${name}.label`, wordsOf(field)]] : [];
  });
}

const langs = ['zh', 'en'] as const;
/** As a label reads in each language. */
const readIn = (label: Words): string[] => langs.map((lang) => `${lang} ${readAs(label[lang])}`);

/** Of two that are shown for the same rows, whoever presses one may mean the other. */
function alikeButtons(buttons: readonly Button[]): LabelSlip[] {
  const byWords = new Map<string, Button[]>();
  return buttons
    .filter((it) => !it.hidden)
    .flatMap((it): LabelSlip[] => {
      const alike = readIn(it.label).flatMap((words) => {
        const others = byWords.get(words) ?? [];
        byWords.set(words, others);
        return others;
      });
      const isAlike = alike.some((other) => meetOneRow(it, other));
      for (const words of readIn(it.label)) byWords.get(words)?.push(it);
      return isAlike ? [['buttonAlike', `buttons.${it.btnNo}.label`, wordsOf(it)]] : [];
    });
}

const meetOneRow = ({ when: some = {} }: Button, { when: others = {} }: Button): boolean =>
  Object.entries(some).every(([name, values]) => {
    const asked = others[name];
    return asked === undefined || [values].flat().some((it) => [asked].flat().includes(it));
  });

/**
 * Buttons that are called now as another one of their list is or was: who presses what he has always pressed would do something
 * else. A new one may do the same under the same words.
 * @param former the list as it is in force, and as it is shipped
 */
export function takenButtonWords(former: readonly Definition[], { buttons = [] }: Definition): LabelSlip[] {
  const known = former.flatMap((it) => it.buttons ?? []);
  const byWords = new Map<string, Button[]>();
  for (const it of known) for (const words of readIn(it.label)) byWords.set(words, [...(byWords.get(words) ?? []), it]);
  return buttons.flatMap((it): LabelSlip[] => {
    const own = known.filter(({ btnNo }) => btnNo === it.btnNo);
    const isOther = ({ btnNo, script }: Button) =>
      btnNo !== it.btnNo && (own.length > 0 || deedOf(script) !== deedOf(it.script));
    const isTaken = langs.some(
      (lang, i) =>
        !own.some(({ label }) => label[lang] === it.label[lang]) &&
        byWords.get(readIn(it.label)[i] ?? '')?.some(isOther),
    );
    return isTaken ? [['buttonWordsTaken', `buttons.${it.btnNo}.label`, wordsOf(it)]] : [];
  });
}
