import type { Definition, Field, MenuNode } from '#domain/definition/grammar.ts';

/** The table of a module that is made here: its name in the way of the database. */
export const tableOf = (module: string): string =>
  module.replace(/[A-Z]/g, (it) => `_${it.toLowerCase()}`).replace(/^_/, '');

type Base = Pick<Definition, 'module' | 'label' | 'table'>;

const buttons: NonNullable<Definition['buttons']> = [
  { btnNo: 'create', script: 'create', label: { zh: '新增', en: 'New' }, tone: 'primary' },
  { btnNo: 'modify', script: 'modify', label: { zh: '修改', en: 'Modify' }, rows: 1 },
  { btnNo: 'deleteById', script: 'deleteById', label: { zh: '删除', en: 'Delete' }, rows: 1, tone: 'danger' },
  { btnNo: 'export', script: 'export', label: { zh: '导出', en: 'Export' } },
];

const siteField: Definition['fields'] = {
  siteId: {
    ...{ type: 'select', label: { zh: '站点', en: 'Site' }, required: true },
    ref: { module: 'ubsSite', value: 'siteId', label: 'siteName' },
  },
};

/** What the code of its module writes is entered in the copy; what is computed is so there too. */
function asCopied({ readOnly, always: _, ...field }: Field): Field {
  return field.computed === undefined || readOnly === undefined ? field : { ...field, readOnly };
}

/** A module to begin with: another's fields and looks under its own name, without what only the code of that one does. */
export function copyOf(source: Definition | null, base: Base, hasSite: boolean): Definition {
  const site = hasSite ? ['siteId'] : ('all' as const);
  const copied = Object.entries(source?.fields ?? {}).filter(([, it]) => !['password', 'List'].includes(it.type));
  const own = Object.fromEntries(copied.map(([name, it]) => [name, asCopied(it)]));
  const fields = { ...own, ...(hasSite && !own['siteId'] && siteField) };
  const isThere = (name: string) => name in fields;
  if (!source) {
    const name = {
      name: { type: 'String', label: { zh: '名称', en: 'Name' }, required: true, maxLength: 100 },
    } as const;
    const all: Definition['fields'] = { ...name, ...fields };
    const names = Object.keys(all);
    return {
      ...base,
      site,
      fields: all,
      search: ['name'],
      list: { columns: names, sort: '-createTime', link: true },
      form: [names],
      indexes: [['createTime']],
      buttons,
    };
  }
  const rows = (source.form ?? []).map((row) => row.filter(isThere)).filter((row) => row.length > 0);
  const isAsked = ({ required, requiredWhen, computed, default: first }: Field) =>
    (required === true || requiredWhen !== undefined) && computed === undefined && first === undefined;
  // What the code of its module gave is asked for here.
  const more = Object.keys(fields).filter((it) => isAsked(fields[it] as Field) && !rows.flat().includes(it));
  const columns = (source.list?.columns ?? []).filter((it) => isThere(it) || it.endsWith('Time') || it.endsWith('By'));
  return {
    ...base,
    site,
    fields,
    search: (source.search ?? []).filter(isThere),
    list: { columns: columns.length > 0 ? columns : Object.keys(fields), sort: '-createTime', link: true },
    form: rows.length > 0 ? [...rows, ...more.map((it) => [it])] : Object.keys(fields).map((it) => [it]),
    ...(source.detail && { detail: source.detail.filter(isThere) }),
    indexes: [['createTime']],
    buttons,
  };
}

/** The groups of the menu that can take an entry, each with the way to it. */
export function groupsOf(menu: readonly unknown[], lang: 'zh' | 'en'): { value: string; label: string }[] {
  const visit = (nodes: readonly MenuNode[], above: string): { value: string; label: string }[] =>
    nodes.flatMap((it) => {
      if (!it.children) return [];
      const label = `${above}${it.label?.[lang] ?? it.menuNo}`;
      return [{ value: it.menuNo, label }, ...visit(it.children, `${label} / `)];
    });
  return visit(menu as MenuNode[], '');
}

/** The menu with an entry more at the end of a group. */
export const withEntry = (menu: readonly MenuNode[], group: string, menuNo: string): MenuNode[] =>
  menu.map((it) => {
    if (!it.children) return it;
    const children = withEntry(it.children, group, menuNo);
    return { ...it, children: it.menuNo === group ? [...children, { menuNo }] : children };
  });
