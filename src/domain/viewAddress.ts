/** What the server answers by itself, in whatever letters it is asked for. */
const answered = /^\/(api|rest|file|docs|assets|healthz|readyz|metrics)(\/|$)/i;
/** `/{menuNo}`, `/{menuNo}/{view}`, `/{menuNo}/{view}/{id}`. */
const view = /^\/(\w+(\/\w+(\/[^/.][^/]*)?)?\/?)?$/;
/** What an id or an SN may look like under an entry of the menu looks like a file elsewhere. */
const likeFile = /\.[^/]*$/;
const ofMenu = /^\/\w+List\//;

/**
 * Whether an address can be one of the client's views, and is answered with its page; whether there is such a view the page
 * itself says. Everything else that nobody answers is not found: no page stands for a file that is not there.
 */
export const isViewAddress = (pathname: string): boolean =>
  view.test(pathname) && !answered.test(pathname) && (!likeFile.test(pathname) || ofMenu.test(pathname));

/** Pages that are no list of the menu, in whatever letters they are asked for. */
const product = /^\/(home|changePassword|error_logger_page|login|\d+)$/i;

/** Whether an entry of the menu opens its list, and nothing else, at `/{menuNo}`. */
export const isListAddress = (menuNo: string): boolean => isViewAddress(`/${menuNo}`) && !product.test(`/${menuNo}`);

/** What stands behind the `?` of an address. */
export const toQuery = (words: Readonly<Record<string, string>>): string =>
  Object.entries(words)
    .map(([name, word]) => `${name}=${encodeURIComponent(word)}`)
    .join('&');
