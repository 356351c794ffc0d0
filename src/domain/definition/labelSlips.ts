import { bareHead, headsOf } from '#domain/definition/heads.ts';
import type { Button, Definition, Field, MenuNode, Option } from '#domain/definition/grammar.ts';
import { deedOf } from '#domain/definition/writes.ts';
import { hiddenSignOf } from '#domain/signs.ts';
import { inBoth, type Words } from '#domain/words.ts';
import { readAlike } from '#domain/definition/readAlike.ts';

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

/** Other lists that read as one that is made or called anew: whoever opens it takes it for them. */
export const alikeModules = ({ module, label }: Definition, all: Iterable<Definition>): LabelSlip[] =>
  [...all]
    .filter((it) => it.module !== module && langs.some((lang) => readAlike(it.label[lang], label[lang])))
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
  return entered.flatMap(([name, field], i): LabelSlip[] => {
    const path = `fields.${name}.label`;
    const alike = entered
      .slice(0, i)
      .find(([, it]) => haveOneHead(field, it) || langs.some((lang) => readAlike(it.label[lang], field.label[lang])));
    if (alike) return [['labelAlike', path, wordsOf(alike[1])]];
    const named = entered.find(([other, it]) => {
      const head = bareHead(other);
      return other !== name && headsOf(field).has(head) && !headsOf(it).has(head);
    });
    return named ? [['labelAsName', path, named[0]]] : [];
  });
}

const wordsOf = ({ label: { zh, en } }: { label: Words }): string => inBoth(zh, en);

const haveOneHead = (a: Field, b: Field): boolean => {
  const heads = headsOf(b);
  return [...headsOf(a)].some((it) => heads.has(it));
};

/** Fields that are called now as another one was, which is there still: a sheet from before would fill the wrong one. */
export function movedLabels(before: Definition, after: Definition): LabelSlip[] {
  return Object.entries(after.fields).flatMap(([name, field]): LabelSlip[] => {
    const own = before.fields[name];
    if (own && [...headsOf(field)].every((it) => headsOf(own).has(it))) return [];
    const from = Object.entries(before.fields).find(([other, it]) => {
      const now = after.fields[other];
      return other !== name && now && haveOneHead(field, it) && !haveOneHead(field, now);
    });
    return from ? [['labelMoved', `fields.${name}.label`, wordsOf(from[1])]] : [];
  });
}

const langs = ['zh', 'en'] as const;

/** Of two that are shown for the same rows, whoever presses one may mean the other. */
function alikeButtons(buttons: readonly Button[]): LabelSlip[] {
  const shown = buttons.filter((it) => !it.hidden);
  return shown.flatMap((it, i): LabelSlip[] => {
    const isAlike = (other: Button) =>
      langs.some((lang) => readAlike(it.label[lang], other.label[lang])) && meetOneRow(it, other);
    return shown.slice(0, i).some(isAlike) ? [['buttonAlike', `buttons.${it.btnNo}.label`, wordsOf(it)]] : [];
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
  return buttons.flatMap((it): LabelSlip[] => {
    const own = known.filter(({ btnNo }) => btnNo === it.btnNo);
    const others = known.filter(
      ({ btnNo, script }) => btnNo !== it.btnNo && (own.length > 0 || deedOf(script) !== deedOf(it.script)),
    );
    const isTaken = langs.some((lang) => {
      const words = it.label[lang];
      return (
        !own.some(({ label }) => label[lang] === words) && others.some(({ label }) => readAlike(label[lang], words))
      );
    });
    return isTaken ? [['buttonWordsTaken', `buttons.${it.btnNo}.label`, wordsOf(it)]] : [];
  });
}
