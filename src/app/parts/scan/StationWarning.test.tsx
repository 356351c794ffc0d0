// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Scan } from '#app/parts/scan/scanQueue.ts';
import { StationWarning } from '#app/parts/scan/StationWarning.tsx';

const scan: Scan = { key: 'a', sn: 'SN1', state: 'ok', at: 1, warning: 'SN SN1 comes back' };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the warning of a lookup', () => {
  it('stays for 30 seconds, then goes [W-COM-13]', () => {
    render(<StationWarning scans={[scan]} />);
    act(() => void vi.advanceTimersByTime(29_900));
    expect(screen.getByRole('alert').textContent).toBe('SN1comes back');
    act(() => void vi.advanceTimersByTime(200));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('gives way to a newer one, and goes with its scan', () => {
    const { rerender } = render(<StationWarning scans={[scan]} />);
    rerender(<StationWarning scans={[scan, { ...scan, key: 'b', sn: 'SN2' }]} />);
    expect(screen.getByRole('alert').textContent).toContain('SN2');
    rerender(<StationWarning scans={[{ ...scan, state: 'submitted' }]} />);
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
