// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { watchWindow } from '#app/testing/watchWindow.ts';

it('what a test puts in place of a function, or where there is none, is gone', () => {
  const { print, fetch } = window;
  const { createObjectURL } = URL;
  const width = Object.getOwnPropertyDescriptor(Element.prototype, 'scrollWidth');
  const putBack = watchWindow();
  window.print = () => undefined;
  globalThis.fetch = () => Promise.reject(new Error('no network'));
  URL.createObjectURL = () => 'blob:own';
  HTMLElement.prototype.scrollBy = () => undefined;
  Object.defineProperty(Element.prototype, 'scrollWidth', { configurable: true, get: () => 2000 });
  Object.defineProperty(HTMLVideoElement.prototype, 'videoWidth', { configurable: true, get: () => 1280 });
  putBack();
  expect([window.print, window.fetch, URL.createObjectURL]).toEqual([print, fetch, createObjectURL]);
  expect(Object.getOwnPropertyDescriptor(Element.prototype, 'scrollWidth')).toEqual(width);
  expect(Object.hasOwn(HTMLElement.prototype, 'scrollBy')).toBe(false);
  expect(document.createElement('video').videoWidth).not.toBe(1280);
});
