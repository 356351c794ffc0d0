/** The views of the menu's entries with the real features, and those features. */
export { default, features } from '#main/browserModules.tsx';
