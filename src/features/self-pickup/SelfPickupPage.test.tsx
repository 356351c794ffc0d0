// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openPage, refuses, type Answers } from '#app/parts/openPage.tsx';
import { pressAlt } from '#app/testing/keys.ts';
import SelfPickupPage from './SelfPickupPage.tsx';

const record = '/api/rmaSelfPickup/queryById.json';
const place = '/api/workQueue/place.json';
const review = '/api/rmaSelfPickup/selfPickupReview.json';
const pickup = {
  id: 4,
  version: 2,
  spkId: 'SPK1',
  selfPickupStatus: '0',
  mtbId: 'MTB1',
  btmMtbId: 'BTM1',
  btmUserId: 'linjiahao',
  siteId: 'SZ',
  companyName: 'Ningyuan Mining',
  branchContact: null,
  documentUrls: null,
  rejectionReason: null as string | null,
  reviewBy: null as string | null,
  reviewTime: null,
  createTime: null,
  view: {
    ...{ module: 'rmaSelfPickup', label: 'Self-pickup', fields: [] },
    labels: { siteId: { SZ: 'Shenzhen' }, reviewBy: { anna: 'Anna Liu' } },
  },
  rmaSelfPickupLineList: [{ id: 1, itemName: 'RX19 104T', sn: 'SN0001', remark: 'with its box' }],
};

async function opens(more: Answers = {}, change: Partial<typeof pickup> = {}) {
  const opened = await openPage(<SelfPickupPage menuNo="rmaSelfPickupList" id="4" />, {
    lang: 'en',
    answers: { [record]: { ...pickup, ...change }, [review]: { id: 4, selfPickupStatus: '1' }, ...more },
  });
  await screen.findByText('SPK1');
  /** Once a button has chosen, the choice is there too. */
  const choose = async (option: string) => {
    if (!screen.queryByRole('combobox')) {
      await opened.user.keyboard('{Control>}{Enter}{/Control}');
      await screen.findByRole('combobox', { name: 'Review status' });
    }
    await opened.user.click(screen.getByRole('combobox', { name: 'Review status' }));
    await opened.user.click(await screen.findByRole('option', { name: option }));
    await waitFor(() => expect(document.querySelector('[role=listbox]')).toBeNull());
  };
  const submit = () => opened.user.keyboard('{Control>}{Enter}{/Control}');
  return { ...opened, choose, submit, sent: () => opened.callsTo(review).map((it) => it.input) };
}
const field = (name: string) => screen.queryByRole('textbox', { name });
const EMPTY = 'The required fields must not be empty';

describe('the review of a self-pickup', () => {
  it('shows site, company and the lines [W-SPU-01]', async () => {
    await opens();
    const facts = within(screen.getByRole('region', { name: 'Site and company' }));
    expect(facts.getAllByRole('definition').map((it) => it.textContent)).toEqual([
      'Shenzhen',
      'Ningyuan Mining',
      'linjiahao',
      'SPK1',
      'MTB1',
      'BTM1',
    ]);
    const table = within(screen.getByRole('table', { name: 'To be picked up' }));
    expect(table.getAllByRole('columnheader').map((it) => it.textContent)).toEqual(['Item', 'SN', 'Remark']);
    expect(table.getAllByRole('cell').map((it) => it.textContent)).toEqual(['RX19 104T', 'SN0001', 'with its box']);
  });

  it('offers please select, confirm and decline, and takes no please select [W-SPU-02] [W-SPU-07]', async () => {
    const { user, submit, sent } = await opens();
    // Nothing but the phone is asked before a decision.
    expect(screen.queryByRole('combobox')).toBeNull();
    await submit();
    const status = await screen.findByRole('combobox', { name: 'Review status' });
    expect(status.textContent).toBe('Please select');
    expect(await screen.findByText(EMPTY)).toBeTruthy();
    expect(sent()).toEqual([]);
    await user.click(status);
    expect((await screen.findAllByRole('option')).map((it) => it.textContent)).toEqual([
      'Please select',
      'Confirm pickup',
      'Reject',
    ]);
  });

  it('leads who submits to the first field that is wrong, and leaves alone who types on', async () => {
    const { user, choose, submit } = await opens();
    await choose('Confirm pickup');
    await user.type(field('Pickup address') as HTMLElement, 'Gate 1');
    await user.click(screen.getByRole('button', { name: 'Confirm pickup' }));
    await waitFor(() => expect(document.activeElement).toBe(field('Pickup time')));
    (field('Contact phone') as HTMLElement).focus();
    await submit();
    await waitFor(() => expect(document.activeElement).toBe(field('Pickup time')));
    await user.type(field('Contact phone') as HTMLElement, '1');
    expect(document.activeElement).toBe(field('Contact phone'));
  });

  it('asks for a phone always, at a yes for where and when, at a no for the reason [W-SPU-03] [W-SPU-04] [W-SPU-05]', async () => {
    const { choose } = await opens();
    const asked = () =>
      ['Contact phone', 'Pickup address', 'Pickup time', 'Rejection reason'].filter((it) => field(it) !== null);
    expect(asked()).toEqual(['Contact phone']);
    await choose('Confirm pickup');
    expect(asked()).toEqual(['Contact phone', 'Pickup address', 'Pickup time']);
    expect(field('Pickup time')?.getAttribute('placeholder')).toBe('yyyy-MM-dd HH:mm:ss');
    await choose('Reject');
    expect(asked()).toEqual(['Contact phone', 'Rejection reason']);
  });

  it('sends a yes once it has an address and a time that is to come [W-SPU-04] [W-SPU-08]', async () => {
    const { user, choose, submit, sent, where } = await opens();
    await choose('Confirm pickup');
    await submit();
    expect(await screen.findAllByText(EMPTY)).toHaveLength(2);
    await user.type(field('Pickup address') as HTMLElement, 'Gate 1');
    await user.type(field('Pickup time') as HTMLElement, '2020-01-02 09:30:00');
    await submit();
    expect(await screen.findByText(/is in the past/)).toBeTruthy();
    await user.clear(field('Pickup time') as HTMLElement);
    await user.type(field('Pickup time') as HTMLElement, '2099-03-04 09:30:05');
    await user.type(field('Contact phone') as HTMLElement, '+86 755-8652');
    expect(sent()).toEqual([]);
    await submit();
    await waitFor(() => expect(where()).toBe('/rmaSelfPickupList'));
    expect(sent()).toEqual([
      {
        id: '4',
        version: 2,
        selfPickupStatus: '1',
        pickupAddress: 'Gate 1',
        pickupTime: new Date(2099, 2, 4, 9, 30, 5).getTime(),
        rejectionReason: '',
        branchContact: '+86 755-8652',
      },
    ]);
  });

  it('sends a no once it has its reason, and nothing of a yes before [W-SPU-09]', async () => {
    const { user, choose, submit, sent } = await opens();
    await choose('Confirm pickup');
    await user.type(field('Pickup address') as HTMLElement, 'Gate 1');
    await choose('Reject');
    await submit();
    expect(await screen.findByText(EMPTY)).toBeTruthy();
    expect(sent()).toEqual([]);
    await user.type(field('Rejection reason') as HTMLElement, 'not ready');
    await submit();
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()[0]).toMatchObject({ selfPickupStatus: '2', rejectionReason: 'not ready', pickupAddress: '' });
  });

  it('takes no letters for a phone, and says a refusal where it was asked for', async () => {
    const { user, choose, submit, sent, where } = await opens({
      [review]: refuses('doneBefore', 'SPK1 was confirmed'),
    });
    await choose('Reject');
    await user.type(field('Rejection reason') as HTMLElement, 'not ready');
    await user.type(field('Contact phone') as HTMLElement, 'Li');
    await submit();
    await waitFor(() => expect(field('Contact phone')?.getAttribute('aria-invalid')).toBe('true'));
    expect(sent()).toEqual([]);
    await user.clear(field('Contact phone') as HTMLElement);
    await submit();
    expect(await screen.findByText('SPK1 was confirmed')).toBeTruthy();
    expect(where()).toBe('/here');
  });

  it('can only be read once it was reviewed', async () => {
    const { submit, sent } = await opens({}, { selfPickupStatus: '2' });
    expect(screen.getByText('This self-pickup has been reviewed already')).toBeTruthy();
    expect(screen.queryByRole('combobox')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Reject' })).toBeNull();
    await submit();
    expect(sent()).toEqual([]);
  });

  it('has the shape of a record and no buttons until it is read', async () => {
    let answer: ((it: object) => void) | undefined;
    await openPage(<SelfPickupPage menuNo="rmaSelfPickupList" id="4" />, {
      lang: 'en',
      answers: { [record]: () => new Promise((done) => (answer = done)) },
    });
    expect(await screen.findByRole('status', { name: 'Reading the record' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Reject' })).toBeNull();
    answer?.(pickup);
    expect(await screen.findByRole('button', { name: 'Reject' })).toBeTruthy();
    expect(screen.queryByRole('status', { name: 'Reading the record' })).toBeNull();
  });

  it('says who asked and who comes next, and who refused and why', async () => {
    const steps = async () =>
      within(await screen.findByRole('list', { name: 'Progress of the self-pickup' }))
        .getAllByRole('listitem')
        .map((it) => it.textContent);
    const first = await opens();
    expect(await steps()).toEqual(['RequestedNingyuan Mining', 'After-sales reviewWaiting for you']);
    first.unmount();
    await opens({}, { selfPickupStatus: '2', rejectionReason: 'not ready', reviewBy: 'anna' });
    expect((await steps())[1]).toBe('After-sales reviewRejectedAnna Liu“not ready”');
  });

  it('is decided by keys, and the next that waits comes by itself', async () => {
    const { user, sent, where } = await opens({ [place]: { count: 2, position: 1, next: 9 } });
    expect(await screen.findByText('1 of 2')).toBeTruthy();
    await user.keyboard('{Alt>}n{/Alt}');
    await waitFor(() => expect(document.activeElement).toBe(field('Rejection reason')));
    expect(sent()).toEqual([]);
    await user.type(field('Rejection reason') as HTMLElement, 'not ready');
    pressAlt('n');
    await waitFor(() => expect(where()).toBe('/rmaSelfPickupList/selfPickupReview/9'));
    expect(sent()).toMatchObject([{ selfPickupStatus: '2', rejectionReason: 'not ready', pickupTime: null }]);
  });
});
