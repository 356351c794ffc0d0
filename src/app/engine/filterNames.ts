/** Under this name a list's filter holds the conditions of the advanced search, as JSON text. */
export const ADVANCED = 'advanced';
/** Under this name it holds the saved view that the list stands under; no call is told of it. */
export const VIEW = '$view';
