import { renderToString } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Deferred } from '#app/shell/Deferred.tsx';

it('holds its place in the first drawing, whatever it holds', () => {
  expect(renderToString(<Deferred fallback="its place">the page</Deferred>)).toBe('its place');
  expect(renderToString(<Deferred>the page</Deferred>)).toBe('');
});
