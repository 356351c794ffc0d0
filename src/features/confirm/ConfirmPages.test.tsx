// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openPage, refuses, type Answers } from '#app/parts/openPage.tsx';
import { pressAlt } from '#app/testing/keys.ts';
import { turns } from '#tests/support/turns.ts';
import NofaultConfirmPage from './NofaultConfirmPage.tsx';
import ScrapConfirmPage from './ScrapConfirmPage.tsx';

const paths = {
  bill: '/api/rmaCheckBill/queryById.json',
  scrap: '/api/rmaCheckBill/scrapConfirm.json',
  nofault: '/api/rmaCheckBill/nofaultConfirm.json',
};
const bill = {
  id: 3,
  ckbId: 'CKB1',
  mtbId: 'MTB1',
  createTime: Date.UTC(2026, 10, 20, 1, 30),
  userId: 'tech',
  checkUrls: '/file/a.png##/file/b.txt##/file/c.png',
  agentAnswer: null as string | null,
  view: { module: 'rmaCheckBill', label: 'Check bill', fields: [], labels: { userId: { tech: 'Li Wei' } } },
  rmaCheckBillLineList: [
    {
      id: 5,
      sn: 'SN0001',
      billTime: Date.UTC(2026, 10, 20, 1, 30),
      icdIds: 'UM17,FX01',
      icdDescriptions: 'Burnt,No start',
      maintainDate: Date.UTC(2026, 4, 2, 4),
    },
  ],
};
const kinds = {
  scrap: { page: <ScrapConfirmPage menuNo="rmaScrapConfirmList" id="5" />, module: 'rmaScrapConfirm' },
  nofault: { page: <NofaultConfirmPage menuNo="rmaNofaultConfirmList" id="5" />, module: 'rmaNofaultConfirm' },
};
type Kind = keyof typeof kinds;
const statusOf = { scrap: 'scrapStatus', nofault: 'nofaultConfirmStatus' };

const lineOf = (kind: Kind, status: string) => ({
  ...{ id: 5, version: 2, ckbId: 'CKB1', sn: 'SN0001', name: 'RX-21 188T', [statusOf[kind]]: status },
  view: { module: kinds[kind].module, label: 'Proposal', fields: [], labels: {} },
});

async function opens(kind: Kind, more: Answers = {}, status = '0') {
  const { page, module } = kinds[kind];
  const opened = await openPage(page, {
    lang: 'en',
    answers: {
      [`/api/${module}/queryById.json`]: lineOf(kind, status),
      [paths.bill]: bill,
      [paths[kind]]: { sn: 'SN0001', nextNode: '40', billStatus: '2' },
      ...more,
    },
  });
  await screen.findByText('CKB1');
  /** Once a button has chosen, the choice is there too. */
  const choose = async (label: string, option: string) => {
    if (!screen.queryByRole('combobox', { name: label })) {
      await opened.user.keyboard('{Control>}{Enter}{/Control}');
      await screen.findByRole('combobox', { name: label });
    }
    await opened.user.click(screen.getByRole('combobox', { name: label }));
    await opened.user.click(await screen.findByRole('option', { name: option }));
    await waitFor(() => expect(document.querySelector('[role=listbox]')).toBeNull());
  };
  const submit = () => opened.user.keyboard('{Control>}{Enter}{/Control}');
  const sent = () => opened.callsTo(paths[kind]).map((it) => it.input);
  return { ...opened, choose, submit, sent };
}
const field = (name: string) => screen.queryByRole('textbox', { name });
const decisions = () => screen.queryAllByRole('button', { name: / scrap$/ }).map((it) => it.textContent);
const duty = () => screen.queryByRole('combobox', { name: 'Responsible' });

describe('what a supervisor judges', () => {
  it.each(['scrap', 'nofault'] as const)(
    'by: bill, check, operator, pictures, answer, findings (%s) [W-SCR-01] [W-NFC-01]',
    async (kind) => {
      const { callsTo } = await opens(kind);
      expect(callsTo(paths.bill)[0]?.input).toMatchObject({ id: 'CKB1' });
      const facts = screen.getByRole('region', { name: 'What was checked' });
      expect(
        within(facts)
          .getAllByRole('term')
          .map((it) => it.textContent),
      ).toEqual(['Issue code', 'Descriptions', 'Item', 'Checked at', 'Operator', 'Maintain bill', 'Check bill']);
      expect(
        within(facts)
          .getAllByRole('definition')
          .map((it) => it.textContent),
      ).toEqual([
        ...['UM17, FX01', 'Burnt, No start', 'RX-21 188T', expect.stringMatching(/^2026-11-20 \d\d:30$/), 'Li Wei'],
        ...['MTB1', 'CKB1'],
      ]);
      expect(within(facts).getByText('SN0001')).toBeTruthy();
      const table = screen.getByRole('table', { name: 'What was found' });
      expect(
        within(table)
          .getAllByRole('columnheader')
          .map((it) => it.textContent),
      ).toEqual(['SN', 'Checked at', 'Issue code', 'Descriptions', 'Last repaired']);
      expect(
        within(table)
          .getAllByRole('cell')
          .map((it) => it.textContent),
      ).toEqual(['SN0001', expect.stringMatching(/^2026-11-20 \d\d:30$/), 'UM17,FX01', 'Burnt,No start', '2026-05-02']);
      expect(screen.getAllByRole('button', { name: /Enlarge picture/ })).toHaveLength(2);
      expect(screen.getByRole('region', { name: 'Model analysis' })).toBeTruthy();
    },
  );

  it('says what the model answered, and that it has not where it has not [W-SCR-02]', async () => {
    const first = await opens('scrap');
    expect(within(screen.getByRole('region', { name: 'Model analysis' })).getByText('Not yet analysed')).toBeTruthy();
    first.unmount();
    await opens('scrap', { [paths.bill]: { ...bill, agentAnswer: 'Corrosion, 93 %' } });
    expect(screen.getByText('Corrosion, 93 %')).toBeTruthy();
    expect(screen.queryByText('Not yet analysed')).toBeNull();
  });

  it('enlarges a picture, and opens a machine log in a window of its own [W-SCR-06]', async () => {
    const { user } = await opens('scrap');
    const log = screen.getByRole('link', { name: /Machine log/ });
    expect([log.getAttribute('href'), log.getAttribute('target')]).toEqual(['/file/b.txt', '_blank']);
    await user.click(screen.getAllByRole('button', { name: /Enlarge picture/ })[1] as HTMLElement);
    const large = within(await screen.findByRole('dialog')).getByRole('img');
    expect(large.getAttribute('src')).toBe('/file/c.png');
  });

  it('can only be read once it is decided', async () => {
    const { submit, sent } = await opens('scrap', {}, '2');
    expect(screen.getByText('This proposal has been decided already')).toBeTruthy();
    expect(screen.queryByRole('combobox')).toBeNull();
    expect(decisions()).toEqual([]);
    await submit();
    expect(sent()).toEqual([]);
  });

  it('has no buttons where the proposal is none that the reader sees', async () => {
    const line = '/api/rmaScrapConfirm/queryById.json';
    await openPage(kinds.scrap.page, { lang: 'en', answers: { [line]: refuses('notFound', 'SN 5 does not exist') } });
    expect(await screen.findByText('SN 5 does not exist')).toBeTruthy();
    expect(decisions()).toEqual([]);
  });

  it('has the shape of a record and no buttons until it is read', async () => {
    let answer: ((it: object) => void) | undefined;
    await openPage(kinds.scrap.page, {
      lang: 'en',
      answers: {
        '/api/rmaScrapConfirm/queryById.json': lineOf('scrap', '0'),
        [paths.bill]: () => new Promise((done) => (answer = done)),
      },
    });
    expect(await screen.findByRole('status', { name: 'Reading the record' })).toBeTruthy();
    await waitFor(() => expect(answer).toBeDefined());
    expect(decisions()).toEqual([]);
    answer?.(bill);
    await screen.findByText('CKB1');
    expect(decisions()).toEqual(['Decline scrap', 'Confirm scrap']);
    expect(screen.queryByRole('status', { name: 'Reading the record' })).toBeNull();
  });
});

const place = '/api/workQueue/place.json';

describe('the two buttons of a confirmation', () => {
  it('choose the decision and go to what it asks for; pressed again, they send it', async () => {
    const { user, sent } = await opens('scrap');
    await user.click(screen.getByRole('button', { name: 'Confirm scrap' }));
    expect(screen.getByRole('combobox', { name: 'Scrap status' }).textContent).toBe('Confirm scrap');
    await waitFor(() => expect(document.activeElement).toBe(duty()));
    expect(screen.queryByText('The required fields must not be empty')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Decline scrap' }));
    await waitFor(() => expect(document.activeElement).toBe(field('Why it is not scrapped')));
    expect(sent()).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Decline scrap' }));
    expect(await screen.findByText('The required fields must not be empty')).toBeTruthy();
    await user.type(field('Why it is not scrapped') as HTMLElement, 'try again');
    await user.click(screen.getByRole('button', { name: 'Decline scrap' }));
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()[0]).toMatchObject({ scrapStatus: '2', declineScrapRemark: 'try again' });
  });

  it('send at once what needs no more, and the next that waits comes by itself', async () => {
    const { user, sent, where, callsTo } = await opens('nofault', { [place]: { count: 3, position: 1, next: 9 } });
    expect(await screen.findByText('1 of 3')).toBeTruthy();
    expect(callsTo(place)[0]?.input).toMatchObject({ name: 'rmaNofaultConfirm:nofaultConfirm', id: '5' });
    await user.click(screen.getByRole('button', { name: 'Confirm no-fault' }));
    await waitFor(() => expect(where()).toBe('/rmaNofaultConfirmList/nofaultConfirm/9'));
    expect(sent()).toMatchObject([{ nofaultConfirmStatus: '1' }]);
  });

  it('have keys, which a burst of a scanner does not press', async () => {
    const { user, sent, where } = await opens('nofault', { [place]: { count: 3, position: 1, next: 9 } });
    await screen.findByText('1 of 3');
    await user.keyboard('A{Alt>}p{/Alt}B');
    await user.keyboard('{Alt>}pp{/Alt}{Enter}');
    await turns();
    expect(sent()).toEqual([]);
    pressAlt('n');
    await waitFor(() => expect(document.activeElement).toBe(field('Remark')));
    pressAlt('ArrowRight');
    await waitFor(() => expect(where()).toBe('/rmaNofaultConfirmList/nofaultConfirm/9'));
    expect(sent()).toEqual([]);
  });
});

describe('the confirmation of a scrap', () => {
  it('offers please select, confirm and decline, and begins with the first [W-SCR-03] [W-SCR-08]', async () => {
    const { user, submit, sent } = await opens('scrap');
    // Nothing is asked before a decision.
    expect(screen.queryByRole('combobox')).toBeNull();
    await submit();
    const status = await screen.findByRole('combobox', { name: 'Scrap status' });
    expect(status.textContent).toBe('Please select');
    expect(await screen.findByText('The required fields must not be empty')).toBeTruthy();
    expect(sent()).toEqual([]);
    await user.click(status);
    expect((await screen.findAllByRole('option')).map((it) => it.textContent)).toEqual([
      'Please select',
      'Confirm scrap',
      'Decline scrap',
    ]);
  });

  it('asks at a yes for whose fault it is and how it looks, and for no more [W-SCR-05] [W-SCR-10]', async () => {
    const { user, choose, submit, sent, where } = await opens('scrap');
    expect([duty(), field('Scrap details'), field('Why it is not scrapped')]).toEqual([null, null, null]);
    await choose('Scrap status', 'Confirm scrap');
    expect(field('Why it is not scrapped')).toBeNull();
    await submit();
    expect(await screen.findAllByText('The required fields must not be empty')).toHaveLength(2);
    expect(sent()).toEqual([]);
    await user.click(duty() as HTMLElement);
    const options = await screen.findAllByRole('option');
    expect(options.map((it) => [it.dataset['value'], it.textContent])).toEqual([
      ['0', 'Own company'],
      ['1', 'Customer'],
      ['3', 'Cannot determine'],
    ]);
    await user.click(options[2] as HTMLElement);
    await waitFor(() => expect(document.querySelector('[role=listbox]')).toBeNull());
    await user.type(field('Scrap details') as HTMLElement, ' burnt ');
    await submit();
    await waitFor(() => expect(where()).toBe('/rmaScrapConfirmList'));
    expect(sent()).toEqual([
      {
        sn: 'SN0001',
        ckbId: 'CKB1',
        version: 2,
        mtbId: 'MTB1',
        scrapStatus: '1',
        dutySourse: '3',
        dutySourseRemark: 'burnt',
        declineScrapRemark: '',
      },
    ]);
  });

  it('asks at a no for its reason alone, and sends nothing of a yes before [W-SCR-04] [W-SCR-09]', async () => {
    const { user, choose, submit, sent } = await opens('scrap');
    await choose('Scrap status', 'Confirm scrap');
    await user.type(field('Scrap details') as HTMLElement, 'burnt');
    await choose('Scrap status', 'Decline scrap');
    expect([duty(), field('Scrap details')]).toEqual([null, null]);
    await submit();
    expect(await screen.findByText('The required fields must not be empty')).toBeTruthy();
    await user.type(field('Why it is not scrapped') as HTMLElement, 'try again');
    await submit();
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()[0]).toMatchObject({ scrapStatus: '2', declineScrapRemark: 'try again', dutySourseRemark: '' });
  });

  it('says a refusal where it was asked for, and stays', async () => {
    const no = refuses('doneBefore', 'SN0001 has already been confirmed');
    const { user, choose, submit, where } = await opens('scrap', { [paths.scrap]: no });
    await choose('Scrap status', 'Decline scrap');
    await user.type(field('Why it is not scrapped') as HTMLElement, 'try again');
    await submit();
    expect(await screen.findByText('SN0001 has already been confirmed')).toBeTruthy();
    expect(where()).toBe('/here');
  });
});

describe('the confirmation of a no-fault', () => {
  it('offers please select, no fault and not no-fault, and a remark [W-NFC-02] [W-NFC-04]', async () => {
    const { user, submit, sent } = await opens('nofault');
    expect(field('Remark')).toBeTruthy();
    await submit();
    expect(await screen.findByText('The required fields must not be empty')).toBeTruthy();
    expect(sent()).toEqual([]);
    await user.click(screen.getByRole('combobox', { name: 'No-fault status' }));
    expect((await screen.findAllByRole('option')).map((it) => it.textContent)).toEqual([
      'Please select',
      'Confirm no-fault',
      'Fault found',
    ]);
  });

  it('needs a remark for a no, and none for a yes [W-NFC-05]', async () => {
    const { choose, submit, sent } = await opens('nofault');
    await choose('No-fault status', 'Fault found');
    await submit();
    expect(await screen.findByText('The required fields must not be empty')).toBeTruthy();
    expect(sent()).toEqual([]);
    await choose('No-fault status', 'Confirm no-fault');
    await submit();
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()[0]).toEqual({
      sn: 'SN0001',
      ckbId: 'CKB1',
      version: 2,
      mtbId: 'MTB1',
      nofaultConfirmStatus: '1',
      nofaultConfirmRemark: '',
    });
  });
});
