// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { watchDefinitions } from '#domain/definitionVersion.ts';
import { fakeStream } from '#app/testing/fakeStream.ts';
import { expectComplaints, renderApp } from '#app/testing/renderApp.tsx';

const field = (queryName: string, name: string, type: string, more: object = {}) => ({
  name,
  queryName,
  type,
  required: false,
  readOnly: false,
  value: null,
  ...more,
});
const items = [
  field('name', 'Name', 'String', { required: true, maxLength: 10 }),
  field('remark', 'Remark', 'LongString'),
  field('share', 'Share', 'Number'),
  field('boards', 'Boards', 'Integer'),
  field('price', 'Price', 'BigDecimal'),
  field('taxRate', 'Tax rate', 'BigDecimal', { format: 'percent' }),
  field('secret', 'Secret', 'password'),
  field('day', 'Day', 'date'),
  field('at', 'At', 'dateTime'),
  field('month', 'Month', 'Month'),
  field('kind', 'Kind', 'select', {
    options: [
      { value: '1', optionName: 'New' },
      { value: '3', optionName: 'Engineering' },
    ],
  }),
  field('engineeringCode', 'Engineering code', 'String', { requiredWhen: { kind: '3' } }),
  field('grade', 'Grade', 'String', { visibleWhen: { kind: '3' }, required: true }),
  field('fee', 'Fee', 'BigDecimal', { readOnlyWhen: { kind: '3' } }),
  field('createdFor', 'Created for', 'String', { readOnly: true, value: 'SZ' }),
];
const CREATE = '/api/adminUser/create.json';
const MODIFY = '/api/adminUser/modifyById.json';
const open = (address: string, more: Parameters<typeof renderApp>[1] = {}) =>
  renderApp(address, {
    ...more,
    answers: {
      '/api/adminUser/pager.json': {
        data: { title: { name: 'Name' }, items: [{ id: 7, name: 'x' }], itemTotal: 1, tableName: 'Users' },
      },
      '/api/adminUser/searchItems.json': { data: { items: [] } },
      '/api/sysBtn/queryByMenuNo.json': {
        data: {
          items: [
            { id: 1, btnNo: 'create', btnName: 'Add', btnScript: 'create' },
            { id: 2, btnNo: 'modify', btnName: 'Modify', btnScript: 'modify', rows: 1 },
          ],
        },
      },
      '/api/adminUser/toAdd.json': { data: { items, rows: [['name', 'kind']] } },
      '/api/adminUser/toModify.json': {
        data: {
          items,
          rows: [],
          item: { id: 7, version: 3, name: 'Old', kind: '1', price: '1200.5', day: new Date(2026, 10, 21).getTime() },
        },
      },
      [CREATE]: { data: { id: 8 } },
      [MODIFY]: { data: { id: 7, version: 4 } },
      ...more.answers,
    },
  });
const input = (label: RegExp | string) => screen.getByLabelText(label) as HTMLInputElement;
const save = async (person: Awaited<ReturnType<typeof open>>['person']) =>
  person.click(screen.getByRole('button', { name: 'Save' }));

describe('the roles of an account', () => {
  it('are chosen by name, each a chip, and sent between bars with which role each was', async () => {
    const options = ['tech', 'office', 'qc'].map((value, i) => ({ value, optionName: `The ${value}`, id: i + 1 }));
    const roles = field('roleIds', 'Roles', 'String', { format: 'roles', required: true, options });
    const { server, person } = await open('/adminUserList/create', {
      answers: { '/api/adminUser/toAdd.json': { data: { items: [roles], rows: [['roleIds']] } } },
    });
    const box = await screen.findByRole('combobox', { name: /Roles/ });
    await person.click(box);
    await person.click(await screen.findByRole('option', { name: 'The office' }));
    await person.click(await screen.findByRole('option', { name: 'The tech' }));
    expect(screen.getByRole('button', { name: 'The office' })).toBeTruthy();
    await save(person);
    await waitFor(() => expect(server.calls(CREATE)).toHaveLength(1));
    expect(JSON.parse(server.calls(CREATE)[0]?.body ?? '')).toEqual({ roleIds: 'office#2|tech#1' });
  });
});

describe('the form for a new record', () => {
  it('has a fitting input for each type and stands over its list [P-FRM-01] [P-FRM-02]', async () => {
    const { server, person, path } = await open('/adminUserList');
    await person.click(await screen.findByRole('button', { name: 'Add' }));
    await screen.findByLabelText(/^Name/);
    expect(path()).toBe('/adminUserList/create');
    expect(server.calls('/api/adminUser/toAdd.json').map((it) => it.query)).toEqual([{ lang: 'en' }]);
    expect(['Share', 'Boards', 'Price', 'Secret', 'Day', 'At', 'Month'].map((it) => input(it).type)).toEqual([
      'text',
      'text',
      'text',
      'password',
      'text',
      'text',
      'text',
    ]);
    expect(['Day', 'At', 'Month'].map((it) => input(it).placeholder)).toEqual([
      'yyyy-MM-dd',
      'yyyy-MM-dd HH:mm:ss',
      'yyyy-MM',
    ]);
    expect(input('Remark').tagName).toBe('TEXTAREA');
    expect(input('Created for').readOnly).toBe(true);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('New users');
    expect(screen.getByRole('dialog', { name: 'New users' })).toBeTruthy();
    await person.click(screen.getByRole('combobox', { name: /Kind/ }));
    expect((await screen.findAllByRole('option')).map((it) => it.textContent)).toEqual(['None', 'New', 'Engineering']);
  });

  it('sends what was entered, shows the list again, and says so [P-FRM-02] [P-FRM-04] [P-FRM-05]', async () => {
    const { server, person, path } = await open('/adminUserList/create?filter=%7B%22x%22%3A%221%22%7D');
    await person.type(await screen.findByLabelText(/^Name/), ' Li ');
    await person.type(input('Boards'), '3');
    await person.type(input('Price'), '1,200.50');
    await person.clear(input('Price'));
    await person.type(input('Price'), '1200.50');
    expect(input('Price').value).toBe('1200.50');
    await person.type(input('Day'), '2026-11-21');
    expect(input('Price').value).toBe('1,200.50');
    expect(input('Price').parentElement?.textContent).toContain('$');
    expect(input('Tax rate').parentElement?.textContent).toContain('%');
    await save(person);
    await waitFor(() => expect(path()).toBe('/adminUserList'));
    expect(await screen.findByText('Created')).toBeTruthy();
    const [call] = server.calls(CREATE);
    expect(JSON.parse(call?.body ?? '')).toMatchObject({
      name: ' Li ',
      boards: 3,
      price: '1200.50',
      day: new Date(2026, 10, 21).getTime(),
      kind: null,
    });
    expect(Object.keys(JSON.parse(call?.body ?? ''))).not.toContain('secret');
    expect(Object.keys(JSON.parse(call?.body ?? ''))).not.toContain('createdFor');
    expect(call?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/);
    await waitFor(() => expect(server.calls('/api/adminUser/pager.json').length).toBeGreaterThan(1));
  });

  it('sends no number that is none or below none, and leaves it as it was entered [P-FRM-04]', async () => {
    const { server, person } = await open('/adminUserList/create');
    await person.type(await screen.findByLabelText(/^Name/), 'Li');
    await person.type(input('Boards'), '-3');
    await person.type(input('Price'), '4,20');
    await person.type(input('Tax rate'), '13%');
    await save(person);
    expect(await screen.findByText(/Write decimals with a point/)).toBeTruthy();
    expect(screen.getByText(/A number below 0/)).toBeTruthy();
    expect(['Boards', 'Price', 'Tax rate'].map((it) => input(it).value)).toEqual(['-3', '4,20', '13']);
    expect(server.calls(CREATE)).toEqual([]);
  });

  it('sends nothing while something is wrong, and says it at the field [P-FRM-05] [P-FRM-06] [P-FRM-11]', async () => {
    const { server, person } = await open('/adminUserList/create');
    await screen.findByLabelText(/^Name/);
    await person.type(input('Price'), '1000001');
    await person.type(input('Tax rate'), '100.5');
    await save(person);
    expect(await screen.findByText('The required fields must not be empty')).toBeTruthy();
    expect(screen.getByText('At most 1000000')).toBeTruthy();
    expect(screen.getByText('At most 100')).toBeTruthy();
    expect(document.activeElement).toBe(input(/^Name/));
    expect(server.calls(CREATE)).toEqual([]);
  });

  it('shows what the server finds wrong at its field, and why the save failed', async () => {
    expectComplaints();
    const data = { problems: [{ key: 'alreadyExists', field: 'name', msg: 'Name x exists already' }] };
    const { person } = await open('/adminUserList/create', {
      answers: { [CREATE]: { key: 'alreadyExists', msg: 'Name x exists already', data } },
    });
    await person.type(await screen.findByLabelText(/^Name/), 'x');
    await save(person);
    expect(await screen.findByText('Reason: Name x exists already')).toBeTruthy();
    expect(screen.getByText('Name x exists already')).toBeTruthy();
    expect(input(/^Name/).value).toBe('x');
    expect(document.activeElement).toBe(input(/^Name/));
  });

  it('shows, asks for and sends a field only while others call for it', async () => {
    const { server, person } = await open('/adminUserList/create');
    await person.type(await screen.findByLabelText(/^Name/), 'x');
    expect(screen.queryByLabelText(/^Grade/)).toBeNull();
    const choose = async (name: string) => {
      await person.click(screen.getByRole('combobox', { name: /Kind/ }));
      await person.click(await screen.findByRole('option', { name }));
    };
    await choose('Engineering');
    await save(person);
    expect(await screen.findAllByText('Required')).toHaveLength(2);
    expect(input('Fee').readOnly).toBe(true);
    await person.type(input(/^Grade/), 'A');
    await choose('New');
    expect(screen.queryByLabelText(/^Grade/)).toBeNull();
    await save(person);
    await waitFor(() => expect(server.calls(CREATE)).toHaveLength(1));
    const sent = JSON.parse(server.calls(CREATE)[0]?.body ?? '') as object;
    expect(sent).toMatchObject({ kind: '1', fee: null });
    expect(sent).not.toHaveProperty('grade');
  });

  it('offers of a select what fits another field, and keeps in sight what was chosen before', async () => {
    const of = (queryName: string, name: string, options: object[], more: object = {}) =>
      field(queryName, name, 'select', { options, ...more });
    const narrowed = [
      of('site', 'Site', [
        { value: 'SZ', optionName: 'Shenzhen' },
        { value: 'NB', optionName: 'Ningbo' },
      ]),
      of(
        'store',
        'Store',
        [
          { value: 'A', optionName: 'Store A', within: 'SZ' },
          { value: 'B', optionName: 'Store B', within: 'NB' },
        ],
        { within: 'site' },
      ),
    ];
    const { person } = await open('/adminUserList/create', {
      answers: { '/api/adminUser/toAdd.json': { data: { items: narrowed, rows: [['site', 'store']] } } },
    });
    const choose = async (label: RegExp, name: string) => {
      await person.click(await screen.findByRole('combobox', { name: label }));
      const names = (await screen.findAllByRole('option'))
        .map((it) => it.textContent)
        .filter((it) => it?.includes(' '));
      await person.click(screen.getByRole('option', { name }));
      return names.filter((it) => it?.startsWith('Store '));
    };
    expect(await choose(/Store/, 'Store A')).toEqual(['Store A', 'Store B']);
    await choose(/Site/, 'Ningbo');
    expect(await choose(/Store/, 'Store B')).toEqual(['Store A', 'Store B']);
    expect(await choose(/Store/, 'Store B')).toEqual(['Store B']);
    await choose(/Site/, 'Shenzhen');
    expect(await choose(/Store/, 'Store A')).toEqual(['Store A', 'Store B']);
    expect(await choose(/Store/, 'Store A')).toEqual(['Store A']);
  });

  it('asks before it throws something away', async () => {
    const { person, path } = await open('/adminUserList/create');
    await person.type(await screen.findByLabelText(/^Name/), 'x');
    await person.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText('Discard the unsaved changes?')).toBeTruthy();
    expect(path()).toBe('/adminUserList/create');
    await person.click(screen.getByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(path()).toBe('/adminUserList'));
  });

  it('is asked about when its tab closes [P-TAB-04]', async () => {
    const { person, path } = await open('/adminUserList/create');
    await person.type(await screen.findByLabelText(/^Name/), 'x');
    await person.click(screen.getByRole('button', { name: 'Close Users' }));
    const dialog = within(
      (await screen.findByText('Confirm closing this page')).closest('[role=dialog]') as HTMLElement,
    );
    await person.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(path()).toBe('/adminUserList/create');
    await person.click(screen.getByRole('button', { name: 'Close Users' }));
    await person.click(await screen.findByRole('button', { name: 'Close' }));
    await waitFor(() => expect(path()).toBe('/home'));
  });
});

describe('the form for a record', () => {
  it('shows its values and sends them back with id and version [P-FRM-03]', async () => {
    const { server, person, path } = await open('/adminUserList');
    await person.click(await screen.findByText('x'));
    await person.click(screen.getByRole('button', { name: 'Modify' }));
    await waitFor(() => expect(path()).toBe('/adminUserList/modify/7'));
    await screen.findByLabelText(/^Name/);
    expect([input(/^Name/).value, input('Price').value, input('Day').value]).toEqual(['Old', '1,200.50', '2026-11-21']);
    expect(server.calls('/api/adminUser/toModify.json').map((it) => it.query)).toEqual([{ id: '7', lang: 'en' }]);
    await person.type(input(/^Name/), 'er');
    await save(person);
    expect(await screen.findByText('Saved')).toBeTruthy();
    expect(JSON.parse(server.calls(MODIFY)[0]?.body ?? '')).toMatchObject({
      id: 7,
      version: 3,
      name: 'Older',
      price: '1200.5',
    });
  });

  const stale = async () => {
    expectComplaints();
    const day = new Date(2026, 10, 21).getTime();
    const today = {
      ...{ id: 7, version: 9, name: 'Theirs', kind: '3', engineeringCode: 'E1', price: '99.000000', day, grade: 'A' },
      ...{ updateBy: 'wang', updateTime: 0, currency: 'CNY' },
    };
    const it = await open('/adminUserList/modify/7', {
      answers: {
        [MODIFY]: { key: 'stale', msg: 'stale', data: today },
        '/api/adminUser/queryById.json': {
          data: { ...today, view: { fields: [], labels: { updateBy: { wang: 'Wang Min' } } } },
        },
      },
    });
    await it.person.type(await screen.findByLabelText(/^Name/), 'er');
    await it.person.type(input('Remark'), 'mine alone');
    await save(it.person);
    expect(await screen.findByText('Somebody else has changed this record')).toBeTruthy();
    it.server.answer({ [MODIFY]: { data: { id: 7, version: 10 } } });
    const chosen = (label: string) =>
      (screen.getByRole('radio', { name: `${label}: Yours` }) as HTMLInputElement).checked;
    return { ...it, chosen, sent: (nth: number) => JSON.parse(it.server.calls(MODIFY)[nth]?.body ?? '') as object };
  };

  it('shows both versions field by field when somebody else saved meanwhile, each chosen as who changed it left it', async () => {
    const { server, person, chosen, sent } = await stale();
    const rowOf = (label: string) =>
      within(screen.getByRole('cell', { name: label }).closest('tr') as HTMLElement)
        .getAllByRole('cell')
        .map((it) => it.textContent);
    expect(await screen.findByText(/Wang Min/)).toBeTruthy();
    expect(screen.getAllByRole('radio')).toHaveLength(12);
    expect(rowOf('Price')).toEqual(['Price', '¥1,200.50', '¥99.00']);
    expect(rowOf('Name')).toEqual(['Name', 'Older', 'Theirs']);
    expect(rowOf('Kind')).toEqual(['Kind', 'New', 'Engineering']);
    expect(['Name', 'Remark', 'Kind', 'Engineering code'].map(chosen)).toEqual([true, true, false, false]);
    await person.click(screen.getByRole('button', { name: 'Save the selection' }));
    expect(await screen.findByText('Saved')).toBeTruthy();
    expect(sent(1)).toMatchObject({
      ...{ id: 7, version: 9, name: 'Older', remark: 'mine alone', kind: '3', engineeringCode: 'E1' },
    });
    const keys = server.calls(MODIFY).map((it) => it.headers.get('idempotency-key'));
    expect(keys[0]).not.toBe(keys[1]);
  });

  it('takes the other’s value of a field, and goes back to the form with what was chosen', async () => {
    const { server, person, sent } = await stale();
    await person.click(screen.getByRole('radio', { name: 'Name: Theirs' }));
    await person.click(screen.getByRole('button', { name: 'Back to the form' }));
    expect((await screen.findByLabelText<HTMLInputElement>(/^Name/)).value).toBe('Theirs');
    expect(input('Remark').value).toBe('mine alone');
    expect(input(/^Engineering code/).value).toBe('E1');
    expect(server.calls(MODIFY)).toHaveLength(1);
    await save(person);
    expect(await screen.findByText('Saved')).toBeTruthy();
    expect(sent(1)).toMatchObject({ version: 9, name: 'Theirs', remark: 'mine alone', kind: '3' });
  });

  it('shows no comparison for another refusal of the same code', async () => {
    expectComplaints();
    const { person } = await open('/adminUserList/modify/7', {
      answers: { [MODIFY]: { key: 'billState', msg: 'It is finished', data: { id: 7, version: 9, name: 'Theirs' } } },
    });
    await person.type(await screen.findByLabelText(/^Name/), 'er');
    await save(person);
    expect(await screen.findByText('Reason: It is finished')).toBeTruthy();
    expect(screen.queryByText('Somebody else has changed this record')).toBeNull();
  });

  it('repeats a save that nobody answered under the same key', async () => {
    expectComplaints();
    const { server, person } = await open('/adminUserList/modify/7', { answers: { [MODIFY]: 'network' } });
    await person.type(await screen.findByLabelText(/^Name/), 'er');
    await save(person);
    await screen.findByText(/The server cannot be reached/);
    server.answer({ [MODIFY]: { data: { id: 7, version: 4 } } });
    await save(person);
    expect(await screen.findByText('Saved')).toBeTruthy();
    const keys = server.calls(MODIFY).map((it) => it.headers.get('idempotency-key'));
    expect(keys).toEqual([keys[0], keys[0]]);
  });
});

describe('a form that is published otherwise while it is open', () => {
  const remark = field('remark', 'Remark', 'String');
  const before = [field('name', 'Name', 'String'), field('plate', 'Plate', 'String'), remark];
  const after = [
    field('name', 'Name', 'String', { required: true }),
    field('voltage', 'Voltage', 'Integer', { required: true }),
    remark,
  ];
  const FORM = '/api/adminUser/toAdd.json';
  const fill = async () => {
    const publishes = fakeStream({ last: 1 });
    const form = await open('/adminUserList/create', {
      answers: { [FORM]: { data: { items: before } }, [watchDefinitions.path]: publishes.answer },
    });
    await form.person.type(await screen.findByLabelText('Name'), 'Zhang');
    await form.person.type(input('Plate'), 'A-1');
    return { ...form, publishes };
  };
  const expectChanges = async () => {
    const notice = (await screen.findByText('This form was changed while it was open')).closest('[role=status]');
    expect(notice?.textContent).toContain('Not saved, as it is no longer asked: Plate (A-1)');
    expect(notice?.textContent).toContain('New: Voltage');
    expect(notice?.textContent).toContain('Now required: Name');
    expect(input(/^Name/).value).toBe('Zhang');
    expect(screen.queryByLabelText('Plate')).toBeNull();
  };
  const expectSaved = async ({ server, person }: Awaited<ReturnType<typeof open>>) => {
    await person.type(input(/^Voltage/), '12');
    await save(person);
    expect(await screen.findByText('Created')).toBeTruthy();
    const saved = server.calls(CREATE).at(-1)?.body ?? '';
    expect(JSON.parse(saved)).toEqual({ name: 'Zhang', voltage: 12, remark: null });
  };

  it('keeps what was typed, says what changed and what is lost, and saves what it asks for now', async () => {
    const form = await fill();
    form.server.answer({ [FORM]: { data: { items: after } } });
    form.publishes.say({ last: 2 });
    await expectChanges();
    await expectSaved(form);
  });

  it('says so also to who saves before the page has heard of it, and asks to look again', async () => {
    expectComplaints();
    const form = await fill();
    form.server.answer({
      [FORM]: { data: { items: after } },
      [CREATE]: {
        key: 'unknownField',
        msg: 'Unknown field name: plate',
        data: { problems: [{ key: 'unknownField', field: 'plate', msg: 'Unknown field name: plate' }] },
      },
    });
    await save(form.person);
    expect(await screen.findByText('The form was changed meanwhile: look through it and save again')).toBeTruthy();
    await expectChanges();
    form.server.answer({ [CREATE]: { data: { id: 8 } } });
    await expectSaved(form);
  });
});
