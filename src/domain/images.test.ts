import { describe, expect, it } from 'vitest';
import { fileIdOf, imageLimits, isPicture, joinUrls, splitUrls } from './images.ts';

describe('a list of pictures', () => {
  it('is one text joined by ##, and comes back as it was [W-IMG-08]', () => {
    expect(joinUrls(['/file/a', '/file/b'])).toBe('/file/a##/file/b');
    expect(splitUrls('/file/a##/file/b')).toEqual(['/file/a', '/file/b']);
  });

  it('may also come as a list, with gaps, or not at all', () => {
    expect(splitUrls(['/file/a', ' ', '/file/b'])).toEqual(['/file/a', '/file/b']);
    expect(splitUrls('##/file/a## ##')).toEqual(['/file/a']);
    expect([splitUrls(null), splitUrls(undefined), splitUrls('')]).toEqual([[], [], []]);
  });

  it('holds only what was uploaded here', () => {
    const id = '0123456789abcdef0123456789abcdef';
    expect([`/file/${id}`, `/file/${id}.txt`].map(fileIdOf)).toEqual([id, id]);
    const strange = ['http://evil/file/1', '//evil', '/file/../etc/passwd', 'javascript:1', '/file/', ''];
    expect(strange.filter((it) => fileIdOf(it) !== '')).toEqual([]);
  });

  it('shows something unless it is a machine log or a paper', () => {
    expect(['/file/a.jpg', '/file/a', '/file/log.TXT', '/file/b.pdf', '/file/c.xlsx'].map(isPicture)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('is 4 long in general, 3 at an upload of a repair, 2 at aging [W-IMG-04]', () => {
    expect([imageLimits.generic, imageLimits.repairUpload, imageLimits.aging]).toEqual([4, 3, 2]);
  });
});
