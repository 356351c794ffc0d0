// @vitest-environment jsdom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { openPage } from '#app/parts/openPage.tsx';
import { createCodeFilter } from '#app/parts/scan/camera.ts';
import { ScanField } from '#app/parts/scan/ScanField.tsx';
import { turns } from '#tests/support/turns.ts';

const stopTrack = vi.fn();
let inSight: string[] = [];
let isReaderThere = true;

// What it reads of a picture is seen in a browser that has a camera.
vi.mock('zxing-wasm/reader', () => ({
  prepareZXingModule: () => (isReaderThere ? Promise.resolve() : Promise.reject(new TypeError('Failed to fetch'))),
  readBarcodes: () => Promise.resolve(inSight.map((text) => ({ text }))),
}));

function withCamera({ isSecure = true, isAllowed = true, kind = 'videoinput' } = {}): void {
  vi.stubGlobal('isSecureContext', isSecure);
  const stream = { getTracks: () => [{ stop: stopTrack }] };
  const getUserMedia = () => (isAllowed ? Promise.resolve(stream) : Promise.reject(new Error('denied')));
  const mediaDevices = Object.assign(new EventTarget(), {
    getUserMedia,
    enumerateDevices: () => Promise.resolve([{ kind }]),
  });
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { mediaDevices }));
  HTMLMediaElement.prototype.play = () => Promise.resolve();
  Object.defineProperty(HTMLVideoElement.prototype, 'videoWidth', { get: () => 1280, configurable: true });
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement) {
    return { canvas: this, drawImage: () => undefined, getImageData: () => undefined };
  } as never;
}
const button = () => screen.findByRole('button', { name: 'Scan with the camera' });
const noButton = async () => {
  await turns();
  expect(screen.queryByRole('button', { name: 'Scan with the camera' })).toBeNull();
};
async function opens(onScan = vi.fn()) {
  await openPage(<ScanField field={{ current: null }} onScan={onScan} />, { lang: 'en' });
  return onScan;
}

beforeEach(() => {
  inSight = [];
  isReaderThere = true;
  stopTrack.mockClear();
  return () => vi.unstubAllGlobals();
});

it('is offered over a secure connection alone, and where there is a camera', async () => {
  withCamera({ isSecure: false });
  await opens();
  await noButton();
  withCamera({ kind: 'audioinput' });
  await opens();
  await noButton();
});

it('comes with a camera that is plugged in', async () => {
  withCamera({ kind: 'audioinput' });
  await opens();
  const { mediaDevices } = navigator;
  mediaDevices.enumerateDevices = () => Promise.resolve([{ kind: 'videoinput' } as MediaDeviceInfo]);
  mediaDevices.dispatchEvent(new Event('devicechange'));
  await button();
});

it('scans each code once while it is in sight, and lets the camera go when it is closed', async () => {
  withCamera();
  const onScan = await opens();
  inSight = ['SN1'];
  fireEvent.click(await button());
  await waitFor(() => expect(onScan).toHaveBeenCalledExactlyOnceWith('SN1'));
  inSight = ['SN1', 'SN2'];
  await waitFor(() => expect(onScan.mock.calls).toEqual([['SN1'], ['SN2']]));
  fireEvent.click(screen.getByRole('button', { name: 'Close the camera' }));
  await waitFor(() => expect(stopTrack).toHaveBeenCalledOnce());
});

it('says what to do when the camera is not allowed', async () => {
  withCamera({ isAllowed: false });
  await opens();
  fireEvent.click(await button());
  expect((await screen.findByRole('alert')).textContent).toContain('Allow it for this page');
});

it('says so when the reader does not load, and lets the camera go', async () => {
  withCamera();
  isReaderThere = false;
  const onScan = await opens();
  inSight = ['SN1'];
  fireEvent.click(await button());
  expect((await screen.findByRole('alert')).textContent).toContain('Check the network');
  await waitFor(() => expect(stopTrack).toHaveBeenCalled());
  expect(onScan).not.toHaveBeenCalled();
});

it('takes a code again that was away for a while', () => {
  const takeNewCodes = createCodeFilter();
  expect(takeNewCodes(['A', 'A'], 0)).toEqual(['A']);
  expect(takeNewCodes(['A', 'B'], 1000)).toEqual(['B']);
  expect(takeNewCodes(['A'], 2400)).toEqual([]);
  expect(takeNewCodes([], 3000)).toEqual([]);
  expect(takeNewCodes(['A'], 4000)).toEqual(['A']);
});
