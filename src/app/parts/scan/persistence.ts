/** Firefox asks its user whether a page may keep its data, in a window over the page; the others decide by themselves. */
export const asksAloud = (): boolean => navigator.storage !== undefined && /\bFirefox\//.test(navigator.userAgent);
