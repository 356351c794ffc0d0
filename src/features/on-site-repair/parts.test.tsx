// @vitest-environment jsdom
import { useState } from 'react';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openPage } from '#app/parts/openPage.tsx';
import { scanOn } from '#app/testing/keys.ts';
import { type Bom, BomSearch } from './BomSearch.tsx';
import { ScannedSn } from './ScannedSn.tsx';

const field = () => screen.getByLabelText<HTMLInputElement>(/Device SN/, { selector: 'input' });
const scan = (text: string, gap = 20) => scanOn(field(), text, gap);

function Device() {
  const [sn, setSn] = useState('');
  return <ScannedSn value={sn} onChange={setSn} />;
}

describe('the SN of the device', () => {
  const opens = async () => {
    const { user } = await openPage(<Device />, { lang: 'en' });
    const arm = () => user.click(screen.getByRole('button', { name: 'Scan' }));
    return { user, arm };
  };

  it('is taken from a scanner once the scan button is pressed, and cleared by a button [S-OSR-02]', async () => {
    const { user, arm } = await opens();
    scan('RX19A26110001');
    expect(field().value).toBe('');
    await arm();
    scan('RX19A26110001', 50);
    expect(field().value).toBe('RX19A26110001');
    await user.click(screen.getByRole('button', { name: 'Clear' }));
    expect(field().value).toBe('');
  });

  it('is neither typed nor pasted, nor a piece of a label [S-OSR-02]', async () => {
    const { user, arm } = await opens();
    await arm();
    scan('RX19A26110001', 80);
    expect(field().value).toBe('');
    await user.paste('RX19A26110001');
    expect(field().value).toBe('');
    scan('RX19A');
    expect(field().value).toBe('');
    expect(field().readOnly).toBe(true);
    scan('RX19A2');
    expect(field().value).toBe('RX19A2');
  });
});

describe('the search for a bill of material', () => {
  const path = '/api/ubsItem/queryBomByName.json';
  const board = { bomid: 'BOM7', bomdescription: 'Hash board of the RX-19' };

  it('asks for what is typed, and lists what is found no higher than 250 px [S-OSR-13]', async () => {
    const chosen: (Bom | null)[] = [];
    const page = <BomSearch bom={null} onChange={(it) => chosen.push(it)} />;
    const { user, callsTo } = await openPage(page, { lang: 'en', answers: { [path]: { items: [board] } } });
    await user.type(screen.getByRole('combobox', { name: 'BOM name' }), 'RX-19');
    const option = await screen.findByRole('option', { name: board.bomdescription });
    await waitFor(() => expect(callsTo(path).at(-1)?.input).toMatchObject({ bomName: 'RX-19' }));
    expect(screen.getByRole('listbox').style.maxHeight).toBe('250px');
    await user.click(option);
    expect(chosen).toEqual([board]);
  });
});
