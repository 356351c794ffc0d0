/** An address of the shell taken apart: `/{menuNo}`, `/{menuNo}/{view}/{id}`, or a page of the product itself. */
export interface PageAddress {
  /** What a tab is known by: a list and its dialogs are one tab, every other view is one of its own. */
  key: string;
  menuNo: string;
  view: string;
  id: string;
}

/** Dialogs over a list, not places of their own. */
const dialogs = ['create', 'modify'];

export function parsePageAddress(pathname: string): PageAddress {
  const [menuNo = '', ...path] = pathname.split('/').filter(Boolean).map(decodeURIComponent);
  const [view = '', ...rest] = asOurs(path);
  const id = rest.join('/');
  const key = view && !dialogs.includes(view) ? `/${[menuNo, view, id].filter(Boolean).join('/')}` : `/${menuNo}`;
  return { key, menuNo, view, id };
}

/** react-admin writes `/{menuNo}/{id}` for a record's form and `/{menuNo}/{id}/show` for its detail. Rule: lists#addresses. */
function asOurs(path: string[]): string[] {
  const [id = '', view, ...more] = path;
  if (!/^\d+$/.test(id) || more.length > 0) return path;
  if (view === undefined) return ['modify', id];
  return view === 'show' ? ['detail', id] : path;
}
