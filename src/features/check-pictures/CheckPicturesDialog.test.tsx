// @vitest-environment jsdom
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TestTranslationProvider } from 'ra-core';
import type { DialogProps } from '#app/parts/dialog.ts';
import { notices } from '#app/notify.ts';
import { closeSession, currentUser, expireSession, openSession, type UserState } from '#app/session.ts';
import { fakeServer } from '#app/testing/fakeServer.ts';
import CheckPicturesDialog from './CheckPicturesDialog.tsx';

const SUBMIT = '/api/rmaMaintainBillLineItem/supplementCheckPicture.json';

/** Files as they went up: where to, and their names. */
let uploaded: [path: string, name: string][] = [];
/** The session that goes up with them is lost. */
let isLost = false;
/** Answers what has gone up, in its own time. */
let answer = (): void => undefined;
let isSlow = false;
class FakeRequest {
  upload = {};
  status = 200;
  responseText = '';
  onload: () => void = () => undefined;
  private path = '';
  open(_: string, address: string) {
    this.path = new URL(address, 'http://reflow.test').pathname;
  }
  setRequestHeader() {}
  send(body: FormData) {
    const file = body.get('file') as File;
    uploaded.push([this.path, file.name]);
    if (isLost) this.status = 401;
    else this.responseText = JSON.stringify({ code: '000000', msg: '', data: { url: `/file/${uploaded.length}` } });
    answer = () => this.onload();
    if (!isSlow) queueMicrotask(answer);
  }
}

const clicked = vi.fn();
beforeEach(() => {
  uploaded = [];
  isLost = false;
  isSlow = false;
  clicked.mockReset();
  notices.closeAll();
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('no pictures here')));
  vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(clicked);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function open() {
  const server = fakeServer({ [SUBMIT]: { data: { id: 5, checkUrls: '' } } });
  const [onDone, onClose] = [vi.fn(), vi.fn()];
  const props: DialogProps = {
    menuNo: 'rmaMaintainBillLineItemList',
    module: 'rmaMaintainBillLineItem',
    button: { id: 1, btnNo: 'supplementCheckPicture', btnName: 'Add images', btnScript: 'supplementCheckPicture' },
    rows: [{ id: 5 }],
    matching: { total: 0, query: {}, condition: null, sort: {}, columns: [] },
    isForAll: false,
    onDone,
    onClose,
  };
  render(
    <TestTranslationProvider
      translate={(key: string, options?: { max?: number }) => [key, options?.max].filter(Boolean).join(' ')}
    >
      <CheckPicturesDialog {...props} />
    </TestTranslationProvider>,
  );
  const input = screen.getByLabelText('Add images');
  const choose = (...names: string[]) =>
    fireEvent.change(input, { target: { files: names.map((it) => new File(['x'], it, { type: 'image/jpeg' })) } });
  return { server, onDone, onClose, input, choose };
}

describe('the hidden image upload', () => {
  it('opens the file chooser at once, without any form [P-MOD-09]', () => {
    const { input } = open();
    expect(clicked).toHaveBeenCalledTimes(1);
    expect(input).toHaveProperty('type', 'file');
    expect(input).toHaveProperty('hidden', true);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('uploads what is chosen for the selected row [P-MOD-09, W-ACT-14]', async () => {
    const { server, onDone, onClose, choose } = open();
    choose('a.jpg', 'b.jpg');
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(uploaded).toEqual([
      ['/api/RmaPicture/uploadBillPic.json', 'a.jpg'],
      ['/api/RmaPicture/uploadBillPic.json', 'b.jpg'],
    ]);
    expect(server.calls(SUBMIT).map((it) => JSON.parse(it.body) as object)).toEqual([
      { id: '5', checkUrls: '/file/1##/file/2' },
    ]);
    expect(onDone).toHaveBeenCalled();
  });

  it('sends what a lost session kept here once its user is back', async () => {
    const li = { userId: 'li', siteId: 'SZ', token: '' } as UserState;
    act(() => currentUser.set(li));
    const { server, onClose, choose } = open();
    isLost = true;
    choose('a.jpg');
    await waitFor(() => expect(uploaded).toHaveLength(1));
    isLost = false;
    await act(async () => currentUser.set({ ...li, token: 'next' }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(server.calls(SUBMIT)).toHaveLength(1);
    currentUser.set(null);
  });

  it('sends them at once where its user was back before the upload learnt of the loss', async () => {
    const li = { userId: 'li', siteId: 'SZ', token: 'old' } as UserState;
    openSession('old');
    act(() => currentUser.set(li));
    const { server, onClose, choose } = open();
    [isLost, isSlow] = [true, true];
    choose('a.jpg');
    await waitFor(() => expect(uploaded).toHaveLength(1));
    act(() => expireSession('old'));
    openSession('next');
    await act(async () => currentUser.set({ ...li, token: 'next' }));
    [isLost, isSlow] = [false, false];
    answer();
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(uploaded).toHaveLength(2);
    expect(server.calls(SUBMIT)).toHaveLength(1);
    act(() => closeSession());
  });

  it.each([[['log.txt']], [['1.jpg', '2.jpg', '3.jpg', '4.jpg']]])(
    'sends nothing of %s: no picture, or more than three',
    async (names) => {
      const { server, onDone, onClose, choose } = open();
      choose(...names);
      await waitFor(() => expect(onClose).toHaveBeenCalled());
      expect([uploaded, server.asked, onDone.mock.calls]).toEqual([[], [], []]);
    },
  );

  it('refuses a fourth picture in words [W-ACT-13] [S-UPL-05]', async () => {
    const warnings = vi.spyOn(notices, 'warning');
    const { choose, onClose } = open();
    choose('1.jpg', '2.jpg', '3.jpg', '4.jpg');
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(warnings.mock.calls).toEqual([['stations.picture.atMost 3']]);
    expect(uploaded).toEqual([]);
  });

  it('is closed when no file is chosen', () => {
    const { input, onClose } = open();
    fireEvent(input, new Event('cancel'));
    expect(onClose).toHaveBeenCalled();
  });
});
