import { expect, it } from 'vitest';
import { parsePageAddress } from '#app/shell/pageAddress.ts';

it.each([
  ['/bills', { key: '/bills', view: '', id: '' }],
  ['/bills/create', { key: '/bills', view: 'create', id: '' }],
  ['/bills/modify/7', { key: '/bills', view: 'modify', id: '7' }],
  ['/bills/7', { key: '/bills', view: 'modify', id: '7' }],
  ['/bills/detail/7', { key: '/bills/detail/7', view: 'detail', id: '7' }],
  ['/bills/7/show', { key: '/bills/detail/7', view: 'detail', id: '7' }],
  ['/bills/7/else', { key: '/bills/7/else', view: '7', id: 'else' }],
  ['/bills/7/show/more', { key: '/bills/7/show/more', view: '7', id: 'show/more' }],
])('%s is a view of its record, in our words or in those of react-admin', (path, page) => {
  expect(parsePageAddress(path)).toEqual({ menuNo: 'bills', ...page });
});
