// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openPage, refuses, type Answers } from '#app/parts/openPage.tsx';
import { slowUploads } from '#app/testing/slowUploads.ts';
import CheckPage from './CheckPage.tsx';

const codes = [
  { codeId: 1, code: 'FX54', name: 'Board not found', disposition: 'repair', imageRequired: '1' },
  { codeId: 2, code: 'CL15', name: 'Cold joint', disposition: 'repair', imageRequired: '1' },
  { codeId: 3, code: 'FX409', name: 'No power', disposition: 'repair', imageRequired: '0' },
].map((it) => ({ ...it, billType: '2', passFlag: null }));
const unit = ({ sn }: { sn: string }) => ({
  sn,
  powerSn: null,
  mtbId: 'MTB1',
  item: { itemId: 1, salesCode: 'RX21-188T', name: 'RX-21', deviceType: '0' },
  receiveIssueCodes: [],
  quotedFaultCode: null,
  maintains: 0,
  warranty: '1',
});
const paths = {
  validate: '/api/rmaCheckBill/validateSn.json',
  check: '/api/rmaCheckBill/check.json',
  remark: '/api/rmaCheckBill/getScrapRemark.json',
  codes: '/api/ubsIssueCode/loadIssueCodeList.json',
};

async function opens(more: Answers = {}, address = '/here') {
  const page = await openPage(<CheckPage menuNo="rmaCheckBillList" />, {
    lang: 'en',
    address,
    answers: {
      [paths.validate]: unit,
      [paths.check]: ({ sn }: { sn: string }) => ({ ckbId: 'CKB1', sn, nextNode: '50', confirm: 'none' }),
      [paths.remark]: { declineScrapRemark: null, nofaultConfirmRemark: null },
      [paths.codes]: { issueCodeList: codes },
      ...more,
    },
  });
  await waitFor(() => expect(page.callsTo(paths.codes)).toHaveLength(1));
  const scan = (text: string) => page.user.type(screen.getByLabelText('Scan SN'), `${text}{Enter}`);
  const submit = () => page.user.keyboard('{Control>}{Enter}{/Control}');
  const withUnit = async () => {
    await scan('SN0001');
    await screen.findByText('What was found');
    await waitFor(() => expect(verdict()).toContain('Verified'));
  };
  return { ...page, scan, submit, withUnit };
}
const verdict = () => document.querySelector('[data-verdict]')?.textContent;
const listed = () => screen.queryByRole('table', { name: 'Issue code' })?.textContent ?? '';

describe('the check station', () => {
  it('has the tabs device and board, and asks as what it checks [W-CHK-01] [W-CHK-14]', async () => {
    const { user, scan, callsTo } = await opens();
    expect(screen.getAllByRole('tab').map((it) => it.textContent)).toEqual(['Device', 'Board']);
    await user.click(screen.getByRole('tab', { name: 'Board' }));
    await scan('SN0001');
    await waitFor(() => expect(callsTo(paths.validate)[0]?.input).toEqual({ sn: 'SN0001', checkType: '1' }));
  });

  it.each([
    ['/check?sn=SN0001', '0', 'Device'],
    ['/check?type=1&sn=SN0001', '1', 'Board'],
  ])('has scanned once what its address %s brings', async (address, checkType, tab) => {
    const { callsTo } = await opens({}, address);
    await waitFor(() => expect(verdict()).toContain('Verified'));
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe(tab);
    expect(callsTo(paths.validate).map((it) => it.input)).toEqual([{ sn: 'SN0001', checkType }]);
  });

  it('submits a device with its codes, all by scanner [W-CHK-15] [W-CHK-08]', async () => {
    const { scan, submit, withUnit, callsTo } = await opens();
    await withUnit();
    await scan('fx409');
    await waitFor(() => expect(listed()).toContain('FX409'));
    await submit();
    await waitFor(() => expect(callsTo(paths.check)).toHaveLength(1));
    expect(callsTo(paths.check)[0]?.input).toMatchObject({
      sn: 'SN0001',
      checkType: '0',
      issueCodeIdList: [3],
      checkUrls: '',
    });
    await waitFor(() => expect(verdict()).toContain('Awaiting repair'));
  });

  it('submits what SN, code and submit say one after the other, without a look at the screen', async () => {
    const { scan, callsTo } = await opens();
    await scan('SN0001');
    await scan('%CODE-FX409');
    await scan('%SUBMIT');
    await waitFor(() => expect(callsTo(paths.check)).toHaveLength(1));
    expect(callsTo(paths.check)[0]?.input).toMatchObject({ sn: 'SN0001', issueCodeIdList: [3] });
  });

  it('takes a code from a label for the unit whose answer is still on its way', async () => {
    let arrive = () => {};
    const { scan, submit, callsTo } = await opens({
      [paths.validate]: (it: { sn: string }) => new Promise((done) => (arrive = () => done(unit(it)))),
    });
    await scan('SN0001');
    await scan('fx409');
    await waitFor(() => expect(callsTo(paths.validate)).toHaveLength(1));
    arrive();
    await waitFor(() => expect(listed()).toContain('FX409'));
    await submit();
    await waitFor(() => expect(callsTo(paths.check)[0]?.input).toMatchObject({ sn: 'SN0001', issueCodeIdList: [3] }));
    expect(callsTo(paths.validate)).toHaveLength(1);
  });

  it('takes a code for no SN while its unit is being submitted', async () => {
    const { scan, submit, withUnit, callsTo } = await opens({ [paths.check]: () => new Promise(() => {}) });
    await withUnit();
    await scan('FX409');
    await waitFor(() => expect(listed()).toContain('FX409'));
    await submit();
    await waitFor(() => expect(callsTo(paths.check)).toHaveLength(1));
    await scan('FX54');
    await waitFor(() => expect(verdict()).toContain('does nothing here now'));
    expect(callsTo(paths.validate)).toHaveLength(1);
  });

  it('makes no call without a code [W-CHK-07]', async () => {
    const { submit, withUnit, callsTo } = await opens();
    await withUnit();
    await submit();
    await waitFor(() => expect(verdict()).toContain('The required fields must not be empty'));
    expect(callsTo(paths.check)).toEqual([]);
  });

  it('asks for a picture where a code needs one [W-CHK-09]', async () => {
    const { scan, submit, withUnit, callsTo } = await opens();
    await withUnit();
    await scan('FX54');
    await submit();
    await waitFor(() => expect(verdict()).toContain('at least 1'));
    expect(callsTo(paths.check)).toEqual([]);
  });

  it('asks for chips and a picture where a code is about chips [W-CHK-10] [W-CHK-11]', async () => {
    const { scan, submit, withUnit, callsTo } = await opens();
    await withUnit();
    await scan('CL15');
    await submit();
    await waitFor(() => expect(verdict()).toContain('Chip repair count must be greater than 0'));
    expect(screen.getByText('When the issue code contains CL, images must be uploaded')).toBeTruthy();
    expect(callsTo(paths.check)).toEqual([]);
  });

  it('deletes the codes that are chosen, and asks to choose one [W-CHK-12]', async () => {
    const { user, scan, withUnit } = await opens();
    await withUnit();
    await scan('FX54');
    await scan('FX409');
    await waitFor(() => expect(listed()).toContain('FX409'));
    await user.click(screen.getByRole('button', { name: 'Delete selected' }));
    // At the field, and large.
    await waitFor(() => expect(screen.getAllByText('Select the Data')).toHaveLength(2));
    expect(document.querySelector('[data-verdict=wrong]')?.textContent).toBe('Select the Data');
    await user.click(screen.getByRole('checkbox', { name: 'FX54' }));
    await user.click(screen.getByRole('button', { name: 'Delete selected' }));
    expect(listed()).not.toContain('FX54');
    expect(listed()).toContain('FX409');
  });

  it('hints at FX409 for a device without power [W-CHK-13]', async () => {
    const { withUnit } = await opens();
    await withUnit();
    expect(screen.getByText(/needs fault code FX409, leave the power input empty/)).toBeTruthy();
  });

  it('shows why a supervisor sent the unit back [W-CHK-16]', async () => {
    const { withUnit, callsTo } = await opens({
      [paths.remark]: { declineScrapRemark: 'look again', nofaultConfirmRemark: null },
    });
    await withUnit();
    expect(await screen.findByText(/look again/)).toBeTruthy();
    expect(callsTo(paths.remark)[0]?.input).toMatchObject({ sn: 'SN0001' });
  });

  it('begins anew with a device that comes again', async () => {
    const { scan, submit, withUnit, callsTo } = await opens();
    await withUnit();
    await scan('FX409');
    await waitFor(() => expect(listed()).toContain('FX409'));
    await submit();
    await waitFor(() => expect(verdict()).toContain('Awaiting repair'));
    await scan('SN0001');
    await waitFor(() => expect(callsTo(paths.validate)).toHaveLength(2));
    await screen.findByText('What was found');
    expect(listed()).toBe('');
  });

  it('works on one device at a time and takes the next when it is done', async () => {
    const { scan, submit, withUnit, callsTo } = await opens();
    await withUnit();
    await scan('SN0002');
    await scan('FX409');
    await waitFor(() => expect(listed()).toContain('FX409'));
    await submit();
    // Asked about once before its turn as well.
    const asked = ['SN0001', 'SN0002', 'SN0002'];
    await waitFor(() => expect(callsTo(paths.validate).map((it) => it.input['sn'])).toEqual(asked));
    await waitFor(() => expect(listed()).toBe(''));
  });

  it('refuses at once what stands at another node, also while a device is in work', async () => {
    const answer = (it: { sn: string }) => (it.sn === 'SN0002' ? refuses('wrongNode', 'SN SN0002 is at QC') : unit(it));
    const { scan, withUnit, callsTo } = await opens({ [paths.validate]: answer });
    await withUnit();
    await scan('SN0002');
    await waitFor(() => expect(verdict()).toContain('is at QC'));
    expect(document.querySelector('tr[data-state=refused] .sn')?.textContent).toBe('SN0002');
    // The device in work is still the one that codes are for, by their commands as well.
    await scan('%CODE-FX409');
    await waitFor(() => expect(listed()).toContain('FX409'));
    expect(callsTo(paths.check)).toEqual([]);
  });
});

describe('a picture that is on its way', () => {
  it('takes nothing with it that was scanned meanwhile, and is waited for', async () => {
    const uploads = slowUploads();
    const { scan, withUnit, submit, callsTo } = await opens(uploads.answers);
    await withUnit();
    uploads.choose('board.jpg');
    await uploads.isSent(1);
    await scan('FX54');
    await waitFor(() => expect(listed()).toContain('FX54'));
    await submit();
    await waitFor(() => expect(verdict()).toContain('Pictures are still being sent'));
    expect(callsTo(paths.check)).toEqual([]);
    uploads.arrive(1);
    await screen.findByText('Upload succeeded');
    expect(listed()).toContain('FX54');
    await waitFor(async () => {
      await submit();
      expect(callsTo(paths.check)).toHaveLength(1);
    });
    expect(callsTo(paths.check)[0]?.input).toMatchObject({ checkUrls: '/file/p1', issueCodeIdList: [1] });
  });

  it('keeps its tab in front until it has arrived, by hand, by command and by a link', async () => {
    const uploads = slowUploads();
    const { scan, user, withUnit, submit, callsTo } = await opens(uploads.answers);
    await withUnit();
    await scan('FX409');
    uploads.choose('board.jpg');
    await uploads.isSent(1);
    uploads.fail(1);
    await waitFor(() => expect(verdict()).toContain('Image upload failed'));
    const front = () => screen.getByRole('tab', { selected: true }).textContent;
    const device = front();
    for (const leave of [
      () => user.click(screen.getByRole('tab', { selected: false })),
      () => scan('%TAB-2'),
      () => scan('%NEXT'),
    ]) {
      await scan('%CODE-FX409');
      await waitFor(() => expect(verdict()).not.toContain('board.jpg'));
      await leave();
      await waitFor(() => expect(verdict()).toContain('board.jpg did not arrive'));
      expect(front()).toBe(device);
    }
    await submit();
    expect(callsTo(paths.check)).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Cancel board.jpg' }));
    await user.click(screen.getByRole('tab', { selected: false }));
    await waitFor(() => expect(front()).not.toBe(device));
  });

  it('and did not arrive is tried again before anything goes without it', async () => {
    const uploads = slowUploads();
    const { scan, user, withUnit, submit, callsTo } = await opens(uploads.answers);
    await withUnit();
    await scan('FX409');
    uploads.choose('board.jpg');
    await uploads.isSent(1);
    uploads.fail(1);
    await waitFor(() => expect(verdict()).toContain('Image upload failed'));
    await scan('%SUBMIT');
    await waitFor(() => expect(verdict()).toContain('board.jpg did not arrive'));
    expect(callsTo(paths.check)).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Try board.jpg again' }));
    await waitFor(() => expect(verdict()).not.toContain('board.jpg'));
    await uploads.isSent(2);
    uploads.arrive(2);
    await screen.findByText('Upload succeeded');
    await submit();
    await waitFor(() => expect(callsTo(paths.check)).toHaveLength(1));
    expect(callsTo(paths.check)[0]?.input).toMatchObject({ checkUrls: '/file/p2' });
  });
});
