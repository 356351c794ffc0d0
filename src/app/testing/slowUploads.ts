import { fireEvent, waitFor } from '@testing-library/react';
import { expect, vi } from 'vitest';
import { refuses } from '#app/parts/openPage.tsx';

/** Pictures whose way to the server takes as long as the test wants; jsdom can neither decode nor draw them. */
export function slowUploads() {
  vi.stubGlobal('createImageBitmap', () => Promise.resolve({ width: 640, height: 480, close: () => undefined }));
  HTMLCanvasElement.prototype.getContext = (() => ({ drawImage: () => undefined })) as never;
  HTMLCanvasElement.prototype.toBlob = function toBlob(done: BlobCallback, type = '') {
    done(new Blob(['small'], { type }));
  };
  const waiting: { arrives: () => void; fails: () => void }[] = [];
  const upload = () =>
    new Promise((done) => {
      const url = `/file/p${waiting.length + 1}`;
      waiting.push({ arrives: () => done({ url }), fails: () => done(refuses('noSession', 'Login is invalid')) });
    });
  return {
    answers: { '/api/RmaPicture/upload.json': upload },
    choose(...names: string[]) {
      const files = names.map((it) => new File(['x'], it, { type: 'image/jpeg' }));
      fireEvent.change(document.querySelector('input[type=file]') as Element, { target: { files } });
    },
    /** The so-manieth is on its way. */
    isSent: (number: number) => waitFor(() => expect(waiting).toHaveLength(number)),
    arrive: (number: number) => waiting[number - 1]?.arrives(),
    /** The session is lost before the so-manieth is there. */
    fail: (number: number) => waiting[number - 1]?.fails(),
  };
}
