// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { openPage, refuses, type Opening } from '#app/parts/openPage.tsx';
import rule from '#definitions/bill-language.json';
import { slowUploads } from '#app/testing/slowUploads.ts';
import { noteStore } from '#app/parts/scan/noteStore.ts';
import RegisterPackagePage from './RegisterPackagePage.tsx';
import { freshPackage } from './rules.draft.ts';

const path = '/api/rmaUnhandledPackageBill/createUnhandledPackageBill.json';
const asksNo = '/api/rmaMaintainBill/queryByReceiveShipNo.json';
const shipments = '/api/ubsShipment/pager.json';
const countries = '/api/ubsCountry/pager.json';
const states = '/api/ubsState/queryStateByCountryId.json';
const cities = '/api/ubsCity/queryCityByStateId.json';
const userSites = '/api/ubsSite/pagerList.json';

const site = (siteId: string, siteName: string) => ({ siteId, siteName, country: null });
const answers = {
  [path]: { id: 7, upbId: 'UPB1' },
  [asksNo]: { mtbId: null, billStatus: null, userName: null },
  [shipments]: { items: [{ shipId: 'SF', name: '顺丰速运', nameEn: 'SF Express' }], itemTotal: 1 },
  [countries]: {
    items: [
      { countryId: '95', name: '中国', nameEn: 'China' },
      { countryId: '231', name: '美国', nameEn: 'United States' },
    ],
    itemTotal: 2,
  },
  [states]: ({ countryId }: { countryId: string }) => ({
    items:
      countryId === '95'
        ? [
            { stateId: '93', name: 'Guangdong' },
            { stateId: rule.abroad.state, name: 'Zhejiang' },
          ]
        : [],
  }),
  [cities]: ({ stateId }: { stateId: string }) => ({
    items: stateId === '93' ? [{ cityId: '93-01', name: 'Shenzhen' }] : [{ cityId: '330000-01', name: 'Ningbo' }],
  }),
  [userSites]: { items: [site('SZ', 'Shenzhen')], itemTotal: 1 },
};

type Page = Awaited<ReturnType<typeof opens>>;
const opens = ({ answers: more, ...opening }: Opening = {}) =>
  openPage(<RegisterPackagePage menuNo="rmaUnhandledPackageBillList" />, {
    lang: 'en',
    ...opening,
    answers: { ...answers, ...more },
  });
const field = (name: RegExp) => screen.getByLabelText<HTMLInputElement>(name);
const fill = (name: RegExp, value: string) => fireEvent.change(field(name), { target: { value } });
const choice = (name: RegExp) => screen.getByRole('combobox', { name });

async function choose({ user }: Page, name: RegExp, option: string) {
  await user.click(choice(name));
  await user.click(await within(await screen.findByRole('listbox')).findByText(option));
}
/** To choose from, instead of a free text. */
const citiesCame = () => waitFor(() => expect(choice(/^City/).getAttribute('aria-expanded')).toBe('false'));
async function fillParcel(page: Page, country = 'China') {
  fill(/^Inbound waybill/, ' sf123 ');
  fill(/^Repairable count/, '0');
  fill(/^Receiver name/, 'Li');
  fill(/^Mobile/, '13800000000');
  await choose(page, /^Inbound courier/, 'SF Express');
  await choose(page, /^Country/, country);
}
const press = ({ user }: Page) => user.click(screen.getByRole('button', { name: 'Register' }));

const labels = {
  zh: [
    '收货物流方式',
    '收货物流单号',
    '可维修数量',
    '单据类型',
    '收货人姓名',
    '手机',
    '电话',
    '邮箱',
    '国家',
    '省/州',
    '城市',
    '邮编',
    '收货地址',
    '备注',
  ],
  en: [
    'Inbound courier',
    'Inbound waybill',
    'Repairable count',
    'Bill type',
    'Receiver name',
    'Mobile',
    'Phone',
    'E-mail',
    'Country',
    'State',
    'City',
    'Postcode',
    'Address',
    'Remark',
  ],
} as const;

describe('the form of a pending package', () => {
  it.each(['zh', 'en'] as const)('asks in %s for everything that is on a parcel [S-PND-01]', async (lang) => {
    await opens({ lang });
    for (const label of labels[lang]) {
      expect(screen.getAllByLabelText(new RegExp(`^${label}`)).length, label).toBeGreaterThan(0);
    }
    expect(screen.getByText(lang === 'zh' ? '0 / 4 张' : '0 of 4')).toBeTruthy();
  });

  it('sends nothing while something is missing, and says so where [S-PND-02]', async () => {
    const page = await opens();
    await press(page);
    // Courier, number, count, receiver, mobile, country; and the state, as an empty form is domestic.
    await waitFor(() => expect(screen.getAllByText('The required fields must not be empty')).toHaveLength(7));
    expect(page.callsTo(path)).toHaveLength(0);
  });

  it('asks for couriers and countries by the pages of their lists [S-PND-07] [S-PND-08]', async () => {
    const page = await opens();
    await waitFor(() => expect(page.callsTo(shipments)).toHaveLength(1));
    expect(page.callsTo(shipments)[0]?.input).toMatchObject({ pageStart: '0', pageCount: '100' });
    expect(page.callsTo(countries)[0]?.input).toMatchObject({ pageStart: '0', pageCount: '200' });
  });

  it('asks for the states of the country and the cities of the state, and forgets those of another [S-PND-08]', async () => {
    const page = await opens();
    await choose(page, /^Country/, 'China');
    await waitFor(() => expect(page.callsTo(states)[0]?.input).toMatchObject({ countryId: '95' }));
    await choose(page, /^State/, 'Guangdong');
    await waitFor(() => expect(page.callsTo(cities)[0]?.input).toMatchObject({ stateId: '93' }));
    await citiesCame();
    await choose(page, /^City/, 'Shenzhen');
    expect(choice(/^City/)).toHaveProperty('value', 'Shenzhen');
    await choose(page, /^Country/, 'United States');
    expect(field(/^State/).value).toBe('');
    expect(field(/^City/).value).toBe('');
  });

  it('proposes the bill type by where the parcel comes from, and lets people say otherwise [S-PND-03] [S-PND-04]', async () => {
    const page = await opens();
    await choose(page, /^Country/, 'United States');
    expect(choice(/^Bill type/).textContent).toContain('Foreign');
    await choose(page, /^Country/, 'China');
    expect(choice(/^Bill type/).textContent).toContain('Domestic');
    expect(field(/^State/).required).toBe(true);
    await choose(page, /^State/, 'Zhejiang');
    expect(choice(/^Bill type/).textContent).toContain('Foreign');
    await choose(page, /^Bill type/, 'Domestic');
    expect(choice(/^Bill type/).textContent).toContain('Domestic');
    expect(choice(/^State/)).toHaveProperty('value', 'Zhejiang');
  });

  it('sends what was entered, the e-mail as fax, and opens what was made [S-PND-10] [S-PND-11]', async () => {
    const page = await opens();
    await fillParcel(page);
    await waitFor(() => expect(page.callsTo(states)).toHaveLength(1));
    await choose(page, /^State/, 'Guangdong');
    await waitFor(() => expect(page.callsTo(cities)).toHaveLength(1));
    await citiesCame();
    await choose(page, /^City/, 'Shenzhen');
    fill(/^E-mail/, 'li@example.com');
    fill(/^Phone/, '0755-1');
    fill(/^Postcode/, '518-000');
    fill(/^Address/, 'Nanshan 1');
    fill(/^Remark/, 'no paper');
    await press(page);
    await waitFor(() => expect(page.callsTo(path)).toHaveLength(1));
    expect(page.callsTo(path)[0]?.input).toEqual({
      ...{ languageType: 'zh', receiveShipId: 'SF', receiveShipNo: 'SF123', repairableCount: 0 },
      ...{ userName: 'Li', mobile: '13800000000', phone: '0755-1', fax: 'li@example.com' },
      ...{ countryCode: '95', stateCode: '93', stateName: 'Guangdong', cityName: 'Shenzhen' },
      ...{ street: 'Nanshan 1', zipcode: '518-000', repairInfo: 'no paper', urlName: '' },
    });
    expect(page.callsTo(path)[0]?.key).toMatch(/^[0-9a-f]{32}$/);
    await waitFor(() => expect(page.where()).toBe('/rmaUnhandledPackageBillList/detail/7'));
  });

  it('takes a foreign parcel without a state, its city as it is written [S-PND-03]', async () => {
    const page = await opens();
    await fillParcel(page, 'United States');
    fill(/^State/, 'Ohio');
    fill(/^City/, 'Dayton');
    await press(page);
    await waitFor(() =>
      expect(page.callsTo(path)[0]?.input).toMatchObject({
        ...{ languageType: 'en', stateCode: '', stateName: 'Ohio', cityName: 'Dayton' },
      }),
    );
  });

  it('keeps what was typed when it is refused, and says why where it is', async () => {
    const page = await opens({ answers: { [path]: refuses('packageOpen', 'Parcel SF123 is registered already') } });
    await fillParcel(page, 'United States');
    await press(page);
    expect((await screen.findAllByText('Parcel SF123 is registered already')).length).toBeGreaterThan(0);
    expect(field(/^Receiver name/).value).toBe('Li');
    expect(page.where()).toBe('/here');
  });
});

it('waits with what is written for a picture that did not arrive', async () => {
  const uploads = slowUploads();
  const page = await opens({ answers: uploads.answers });
  await fillParcel(page, 'United States');
  uploads.choose('box.jpg');
  await uploads.isSent(1);
  uploads.fail(1);
  await screen.findByText('Image upload failed, try later');
  await press(page);
  expect(await screen.findByText('box.jpg did not arrive: try it again or cancel it')).toBeTruthy();
  expect(page.callsTo(path)).toEqual([]);
  await page.user.click(screen.getByRole('button', { name: 'Cancel box.jpg' }));
  expect(screen.queryByText(/did not arrive/)).toBeNull();
  // One that is chosen later says nothing before the next press.
  uploads.choose('label.jpg');
  await uploads.isSent(2);
  expect(screen.queryByText(/Pictures are still being sent/)).toBeNull();
  await press(page);
  expect(await screen.findByText(/Pictures are still being sent/)).toBeTruthy();
  uploads.arrive(2);
  await screen.findByText('Upload succeeded');
  await press(page);
  await waitFor(() => expect(page.callsTo(path)).toHaveLength(1));
});

describe('the number of the parcel', () => {
  it('is written as it is kept, leads on by Enter, and is asked for [S-PND-12]', async () => {
    const page = await opens();
    await page.user.type(field(/^Inbound waybill/), ' sf9 {Enter}');
    expect(document.activeElement).toBe(choice(/^Inbound courier/));
    await waitFor(() => expect(page.callsTo(asksNo)).toHaveLength(1));
    expect(page.callsTo(asksNo)[0]?.input).toEqual({ receiveShipNo: 'SF9', lang: 'en' });
    expect(field(/^Inbound waybill/).value).toBe('SF9');
  });

  it('that is on a bill is warned of', async () => {
    const warning = 'Inbound waybill SF9 is already on bill MTB1';
    const page = await opens({ answers: { [asksNo]: { mtbId: 'MTB1', billStatus: '1', userName: 'Li', warning } } });
    await page.user.type(field(/^Inbound waybill/), 'sf9{Enter}');
    expect(await screen.findByText(warning)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Register' })).toHaveProperty('disabled', false);
  });

  it('of an open package is refused where it stands', async () => {
    const page = await opens({ answers: { [asksNo]: refuses('packageOpen', 'Parcel SF9 is pending already') } });
    await page.user.type(field(/^Inbound waybill/), 'sf9{Enter}');
    expect(await screen.findByText('Parcel SF9 is pending already')).toBeTruthy();
    expect(field(/^Inbound waybill/).getAttribute('aria-invalid')).toBe('true');
  });

  it('from sign-for does not take the place of a parcel that is half written', async () => {
    const kept = { sn: 'new', draft: { ...freshPackage, receiveShipNo: 'SF1', userName: 'Li' } };
    const reading = vi.spyOn(noteStore, 'read').mockImplementation(async (_, name) => name === 'draft' && kept);
    await opens({ address: '/here?receiveShipNo=sf8' });
    expect(await screen.findByText('Register parcel SF1 first, then scan sf8')).toBeTruthy();
    expect(field(/^Inbound waybill/).value).toBe('SF1');
    expect(field(/^Receiver name/).value).toBe('Li');
    reading.mockRestore();
  });

  it('comes with the address from sign-for', async () => {
    const page = await opens({ address: '/here?receiveShipNo=sf%2F8' });
    await waitFor(() => expect(field(/^Inbound waybill/).value).toBe('SF/8'));
    await waitFor(() => expect(page.callsTo(asksNo)).toHaveLength(1));
  });
});

it('who works for several sites says at which the parcel is', async () => {
  const sites = { items: [site('SZ', 'Shenzhen'), site('NB', 'Ningbo')], itemTotal: 2 };
  const page = await opens({ answers: { [userSites]: sites } });
  await fillParcel(page, 'United States');
  expect((await screen.findByRole('combobox', { name: /^Site/ })).textContent).toContain('Shenzhen');
  await choose(page, /^Site/, 'Ningbo');
  await press(page);
  await waitFor(() => expect(page.callsTo(path)[0]?.input).toMatchObject({ siteId: 'NB' }));
});
