import type { Definition, MenuNode, Model } from '#domain/definition/grammar.ts';
import { genericScripts } from '#domain/definition/scripts.ts';
import { offeredRows } from '#domain/definition/writes.ts';
import { readHealth } from '#domain/health.ts';
import { mayDo } from '#domain/rights.ts';
import type { Language } from '#domain/words.ts';

export interface MenuItem {
  menuNo: string;
  menuName: string;
  icon?: string;
  /** Of a page: the module whose list it opens. */
  module?: string;
  /** Of a page: what one of its rows is called, where the list is called otherwise. */
  recordName?: string;
  /** Of a page whose rows open by their number: how these numbers begin. */
  prefix?: string;
  /** Of a page: what its views are called that a button opens, by the button's script. */
  views?: Record<string, string>;
  /** Its name in the other language, where that is another: whoever seeks it may know it so. */
  otherName?: string;
  /** Of a page: what its toolbar does without a row, by the script, in this language and in the other. */
  actions?: Record<string, readonly [name: string, otherName: string]>;
  children: MenuItem[];
}

export interface ButtonItem {
  id: string;
  btnNo: string;
  btnName: string;
  btnScript: string;
  rows?: 1 | 'many';
  when?: Record<string, string | string[]>;
  tone?: string;
  all?: boolean;
  bulk?: boolean;
}

export const menuNoOf = (module: string): string => `${module}List`;

/** The definition behind a menu entry: its number without the ending `List`. */
export const findDefinition = (model: Model, menuNo: string): Definition | undefined =>
  menuNo.endsWith('List') ? model.definitions.get(menuNo.slice(0, -'List'.length)) : undefined;

/** The part of the menu that these rights open: a page needs `module:list`, a group needs a page. Rule: rights#menu. */
export function menuFor(model: Model, rights: ReadonlySet<string>, lang: Language): MenuItem[] {
  const itemsOf = (nodes: MenuNode[]): MenuItem[] =>
    nodes.filter((it) => !it.hidden).flatMap((node) => itemOf(node) ?? []);
  const itemOf = (node: MenuNode): MenuItem | null => {
    const definition = findDefinition(model, node.menuNo);
    const children = itemsOf(node.children ?? []);
    const isOpen = definition !== undefined && mayDo(rights, `${definition.module}:list`);
    if (!isOpen && children.length === 0) return null;
    const label = node.label ?? definition?.label;
    const menuName = label?.[lang] ?? node.menuNo;
    const otherName = label?.[otherOf(lang)];
    const icon = node.icon === undefined ? {} : { icon: node.icon };
    const one = definition?.one;
    const prefix = isOpen && definition.list?.link ? definition.number?.prefix : undefined;
    const views = isOpen ? viewNames(definition, rights, lang) : {};
    const actions = isOpen ? actionNames(definition, rights, lang) : {};
    const page = isOpen
      ? {
          module: definition.module,
          ...(one && { recordName: one[lang] }),
          ...(prefix && { prefix }),
          ...(Object.keys(views).length > 0 && { views }),
          ...(Object.keys(actions).length > 0 && { actions }),
        }
      : {};
    const other = otherName === undefined || otherName === menuName ? {} : { otherName };
    return { menuNo: node.menuNo, menuName, ...other, ...icon, ...page, children };
  };
  return itemsOf(model.menu);
}

/** The toolbar of a list: the definition's buttons that these rights allow, in its order. */
export const buttonsFor = (definition: Definition, rights: ReadonlySet<string>, lang: Language): ButtonItem[] =>
  (definition.buttons ?? [])
    .filter((it) => !it.hidden && mayDo(rights, `${definition.module}:${it.btnNo}`))
    .map((it) => ({ ...it, when: offeredRows(definition, it) }))
    .map(({ btnNo, script, label, rows, when, tone, all, bulk }) => ({
      id: `${definition.module}:${btnNo}`,
      btnNo,
      btnName: label[lang],
      btnScript: script,
      ...(rows === undefined ? {} : { rows }),
      ...(when === undefined ? {} : { when }),
      ...(tone === undefined ? {} : { tone }),
      ...(all && { all }),
      ...(bulk && { bulk }),
    }));

/** The engine's own views have names in every language; a feature's is called as the button that opens it. */
const viewNames = (definition: Definition, rights: ReadonlySet<string>, lang: Language): Record<string, string> =>
  Object.fromEntries(
    buttonsFor(definition, rights, lang)
      .filter(({ btnScript }) => !genericScripts.some((it) => it === btnScript))
      .map((it) => [it.btnScript, it.btnName]),
  );

const otherOf = (lang: Language): Language => (lang === 'zh' ? 'en' : 'zh');

const actionNames = (definition: Definition, rights: ReadonlySet<string>, lang: Language) => {
  const others = buttonsFor(definition, rights, otherOf(lang));
  return Object.fromEntries(
    buttonsFor(definition, rights, lang).flatMap(({ btnScript, btnName, rows }, i) =>
      rows === undefined && !['deleteAll', 'deleteById', 'modify', 'detail'].includes(btnScript)
        ? [[btnScript, [btnName, others[i]?.btnName ?? btnName] as const]]
        : [],
    ),
  );
};

/** Rights of the product's own pages, which no definition names. */
const ownRights = ['errorLog:list', readHealth.right];

const ownRightsOf = ({ module, buttons = [] }: Definition): string[] =>
  ['list', ...buttons.map((it) => it.btnNo)].map((it) => `${module}:${it}`);

/** Whether any of a module's rights is among these. */
export const mayUse = (definition: Definition, rights: ReadonlySet<string>): boolean =>
  ownRightsOf(definition).some((it) => mayDo(rights, it));

/** What the client's guard compares routes with: the open menu numbers and each right by name, stars written out. */
export function accessOf(model: Model, rights: ReadonlySet<string>): string[] {
  const ofModule = (definition: Definition): string[] => {
    const { module } = definition;
    const open = ownRightsOf(definition).filter((it) => mayDo(rights, it));
    return open.includes(`${module}:list`) ? [menuNoOf(module), ...open] : open;
  };
  const plain = [...[...rights].filter((it) => !it.includes('*')), ...ownRights.filter((it) => mayDo(rights, it))];
  return [...new Set([...[...model.definitions.values()].flatMap(ofModule), ...plain])];
}
