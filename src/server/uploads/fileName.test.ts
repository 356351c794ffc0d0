import { expect, it } from 'vitest';
import { fileNameOf } from '#server/uploads/fileName.ts';

it.each([
  ['photo.JPG', 'photo.JPG'],
  ['机器 1.jpeg', '机器 1.jpeg'],
  ['../../etc/passwd', 'passwd.jpg'],
  ['C:\\temp\\a.jpg', 'a.jpg'],
  ['page.html', 'page.html.jpg'],
  ['a\r\nSet-Cookie: x.jpg', 'aSet-Cookie x.jpg'],
  ['gpj.\u202eexe.jpg', 'gpj.exe.jpg'],
  ['.htaccess', 'htaccess.jpg'],
  ['', 'file.jpg'],
  ['   ', 'file.jpg'],
  [`${'x'.repeat(300)}.jpg`, `${'x'.repeat(96)}.jpg`],
])('%j is handed out as %j', (sent, name) => {
  expect(fileNameOf(sent, ['jpg', 'jpeg'])).toBe(name);
});
