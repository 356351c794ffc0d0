import { expect, it } from 'vitest';
// @ts-expect-error plain JavaScript, run by node without a build
import { filesToKeep } from '../scripts/lib/serviceWorker.mjs';

it('keeps the page, the frame, its words and the stations with all that they import, and no dialog of the office', () => {
  const manifest = {
    'index.html': { file: 'assets/index.js', imports: ['_react'], css: ['assets/index.css'] },
    _react: { file: 'assets/react.js' },
    _station: { file: 'assets/station.js', imports: ['_react'] },
    'src/app/shell/Shell.tsx': { file: 'assets/Shell.js' },
    'src/app/words/zh.ts': { file: 'assets/zh.js' },
    'src/features/receive/ReceivePage.tsx': { file: 'assets/ReceivePage.js', imports: ['_station'] },
    'src/features/bulk/BulkDialog.tsx': { file: 'assets/BulkDialog.js', imports: ['_office'] },
    _office: { file: 'assets/office.js' },
  };
  const names = ['index.js', 'react.js', 'index.css', 'Shell.js', 'zh.js', 'ReceivePage.js', 'station.js'];
  expect(filesToKeep(manifest).sort()).toEqual(['/index.html', ...names.map((it) => `/assets/${it}`)].sort());
});
