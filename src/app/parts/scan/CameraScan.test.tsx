// @vitest-environment jsdom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { openPage } from '#app/parts/openPage.tsx';
import { createSight } from '#app/parts/scan/camera.ts';
import { ScanField } from '#app/parts/scan/ScanField.tsx';

const stopTrack = vi.fn();
let inSight: string[] = [];

function withCamera({ isSecure = true, isAllowed = true } = {}): void {
  vi.stubGlobal('isSecureContext', isSecure);
  vi.stubGlobal(
    'BarcodeDetector',
    class {
      detect = () => Promise.resolve(inSight.map((rawValue) => ({ rawValue })));
    },
  );
  const stream = { getTracks: () => [{ stop: stopTrack }] };
  const getUserMedia = () => (isAllowed ? Promise.resolve(stream) : Promise.reject(new Error('denied')));
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { mediaDevices: { getUserMedia } }));
  HTMLMediaElement.prototype.play = () => Promise.resolve();
}
const button = () => screen.queryByRole('button', { name: 'Scan with the camera' });
async function opens(onScan = vi.fn()) {
  await openPage(<ScanField field={{ current: null }} onScan={onScan} />, { lang: 'en' });
  return onScan;
}

beforeEach(() => {
  inSight = [];
  stopTrack.mockClear();
  return () => vi.unstubAllGlobals();
});

it('is offered neither without a secure connection nor by a browser that reads no barcodes', async () => {
  withCamera({ isSecure: false });
  await opens();
  expect(button()).toBeNull();
  withCamera();
  vi.stubGlobal('BarcodeDetector', undefined);
  await opens();
  expect(button()).toBeNull();
});

it('scans each code once while it is in sight, and lets the camera go when it is closed', async () => {
  withCamera();
  const onScan = await opens();
  inSight = ['SN1'];
  fireEvent.click(button() as HTMLElement);
  await waitFor(() => expect(onScan).toHaveBeenCalledExactlyOnceWith('SN1'));
  inSight = ['SN1', 'SN2'];
  await waitFor(() => expect(onScan.mock.calls).toEqual([['SN1'], ['SN2']]));
  fireEvent.click(screen.getByRole('button', { name: 'Close the camera' }));
  await waitFor(() => expect(stopTrack).toHaveBeenCalledOnce());
});

it('says what to do when the camera is not allowed', async () => {
  withCamera({ isAllowed: false });
  await opens();
  fireEvent.click(button() as HTMLElement);
  expect((await screen.findByRole('alert')).textContent).toContain('Allow the camera');
});

it('takes a code again that was away for a while', () => {
  const freshOf = createSight();
  expect(freshOf(['A', 'A'], 0)).toEqual(['A']);
  expect(freshOf(['A', 'B'], 1000)).toEqual(['B']);
  expect(freshOf(['A'], 2400)).toEqual([]);
  expect(freshOf([], 3000)).toEqual([]);
  expect(freshOf(['A'], 4000)).toEqual(['A']);
});
