// @vitest-environment jsdom
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  EditBase,
  Form,
  ListBase,
  RecordContextProvider,
  ReferenceFieldBase,
  ReferenceInputBase,
  ReferenceManyFieldBase,
  useCanAccess,
  useChoicesContext,
  useDeleteMany,
  useInput,
  useListContext,
  useLocaleState,
  useNotify,
  usePermissions,
  useRecordContext,
  useStore,
  useUpdateMany,
} from 'ra-core';
import { App } from '#app/App.tsx';
import { dataProvider } from '#app/dataProvider.ts';
import { i18nProvider } from '#app/i18nProvider.ts';
import { notices } from '#app/notify.ts';
import { closeSession, openSession } from '#app/session.ts';
import { realServer, type RealServer } from '#app/testing/realServer.ts';
import { expectComplaints, prepareBrowser } from '#app/testing/renderApp.tsx';
import { createUserStore } from '#app/userStore.ts';

const STATES = 'ubsStateList';
const COUNTRIES = 'ubsCountryList';
const byCode = { meta: { by: 'countryId' } };

let server: RealServer;
const ids = { QA1: 0, QA2: 0, QB1: 0 };
beforeAll(async () => {
  server = await realServer();
  openSession(await server.openToken('admin'));
  for (const [countryId, name] of [
    ['QA', 'Quarria'],
    ['QB', 'Qubania'],
  ])
    await dataProvider.create(COUNTRIES, { data: { countryId, name } });
  for (const [stateId, countryId] of [
    ['QA1', 'QA'],
    ['QA2', 'QA'],
    ['QB1', 'QB'],
  ] as const) {
    const { data } = await dataProvider.create(STATES, { data: { stateId, name: `State ${stateId}`, countryId } });
    ids[stateId] = Number(data.id);
  }
});
afterEach(() => notices.closeAll());
afterAll(() => server.close());

/** A page as somebody writes it who knows react-admin, inside of the running product. */
async function show(Page: React.ComponentType, as = 'admin') {
  prepareBrowser();
  closeSession();
  await i18nProvider.changeLocale('en');
  openSession(await server.openToken(as));
  server.asked.length = 0;
  const router = createMemoryRouter([{ path: '*', element: <App Modules={Page} /> }], {
    initialEntries: [`/${STATES}`],
  });
  return { ...render(<RouterProvider router={router} />), person: userEvent.setup() };
}
const callsOf = (action: string) => server.asked.filter((it) => it === action).length;
const noticeOf = async (text: string) => (await screen.findByText(text)).closest<HTMLElement>('[role]') as HTMLElement;
const states = { stateId: 'Q' };

describe('a list', () => {
  function Row() {
    const { stateId, name } = useRecordContext() as { stateId: string; name: string };
    return (
      <li aria-label={stateId}>
        {name} in{' '}
        <ReferenceFieldBase source="countryId" reference={COUNTRIES} queryOptions={byCode}>
          <Country />
        </ReferenceFieldBase>
      </li>
    );
  }
  const Country = () => <b>{useRecordContext()?.['name'] as string}</b>;
  function Rows() {
    const { data = [], total } = useListContext();
    return (
      <ul aria-label={`${total} states`}>
        {data.map((it) => (
          <RecordContextProvider key={it.id} value={it}>
            <Row />
          </RecordContextProvider>
        ))}
      </ul>
    );
  }

  it('shows its rows and what they refer to, which is one call for all of them', async () => {
    await show(() => (
      <ListBase resource={STATES} filter={states}>
        <Rows />
      </ListBase>
    ));
    const list = await screen.findByRole('list', { name: '3 states' });
    await waitFor(() => expect(within(list).getByLabelText('QB1').textContent).toBe('State QB1 in Qubania'));
    expect(within(list).getByLabelText('QA1').textContent).toBe('State QA1 in Quarria');
    expect([callsOf('ubsState/pager'), callsOf('ubsCountry/advancedSearch')]).toEqual([1, 1]);
  });

  it('shows what refers to a record, exactly that, and finds a text in any column', async () => {
    await show(() => (
      <RecordContextProvider value={{ id: 'QA' }}>
        <ReferenceManyFieldBase reference={STATES} target="countryId" sort={{ field: 'stateId', order: 'ASC' }}>
          <Rows />
        </ReferenceManyFieldBase>
      </RecordContextProvider>
    ));
    const list = await screen.findByRole('list', { name: '2 states' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(2);
    const page = { pagination: { page: 1, perPage: 10 }, sort: { field: 'stateId', order: 'ASC' } } as const;
    const found = async (filter: object) =>
      (await dataProvider.getList(STATES, { ...page, filter })).data.map((it) => it['stateId'] as string);
    expect(await found({ q: 'state qb' })).toEqual(['QB1']);
    expect(await found({ stateId: ['QA1', 'QB1'], countryId: 'QA' })).toEqual(['QA1']);
    expect(await found({ stateId: ['QA1', 'QB1'], q: 'QA' })).toEqual(['QA1']);
  });

  it('takes more ids than one call holds, and leaves out what is not there', async () => {
    server.asked.length = 0;
    const many = Array.from({ length: 399 }, (_, i) => 900_000 + i);
    const { data } = await dataProvider.getMany(STATES, { ids: [...many, ids.QA2] });
    expect(data.map((it) => it['stateId'] as string)).toEqual(['QA2']);
    expect(server.asked).toEqual(['ubsState/advancedSearch', 'ubsState/advancedSearch']);
  });
});

describe('the resources under /rest', () => {
  it('answer by the simple REST provider, in pages, found by a text', async () => {
    const told = (message: string) =>
      dataProvider.create('errors', { data: { message } }).then(
        () => 'taken',
        (error: Error) => error.message,
      );
    expect(await told('no such call')).not.toBe('taken');
    const page = (filter: object, perPage = 25) =>
      dataProvider.getList('errors', {
        pagination: { page: 1, perPage },
        sort: { field: 'id', order: 'DESC' },
        filter,
      });
    const { data, total } = await page({ text: 'nobody has told of this' });
    expect([data, total]).toEqual([[], 0]);
    await expect(page({ level: 'x' })).rejects.toThrow(/level/);
    await expect(page({}, 201)).rejects.toThrow(/range/);
    const jobs = { pagination: { page: 1, perPage: 5 }, sort: { field: 'createdAt', order: 'DESC' } } as const;
    expect(await dataProvider.getList('jobs', { ...jobs, filter: {} })).toMatchObject({ data: [], total: 0 });
    await expect(dataProvider.getOne('jobs', { id: 4711 })).rejects.toThrow(/4711/);
  });
});

describe('an edit', () => {
  function TextInput({ source }: { source: string }) {
    const { field, fieldState } = useInput({ source });
    return (
      <label>
        {source}
        <input {...field} aria-invalid={fieldState.invalid} />
        <em>{fieldState.error?.message}</em>
      </label>
    );
  }
  function Choices() {
    const { allChoices = [] } = useChoicesContext();
    const { field } = useInput({ source: 'countryId' });
    return (
      <select aria-label="country" {...field}>
        {allChoices.map((it) => (
          <option key={it.id} value={it.id}>
            {it.name as string}
          </option>
        ))}
      </select>
    );
  }
  const Loaded = ({ children }: { children: React.ReactNode }) => (useRecordContext() ? <Form>{children}</Form> : null);
  const edit = (mutationMode: 'pessimistic' | 'undoable') => () => (
    <EditBase resource={STATES} id={ids.QA1} mutationMode={mutationMode} redirect={false}>
      <Loaded>
        <TextInput source="stateId" />
        <TextInput source="name" />
        <ReferenceInputBase source="countryId" reference={COUNTRIES} queryOptions={byCode} filter={{ countryId: 'Q' }}>
          <Choices />
        </ReferenceInputBase>
        <button type="submit">Save</button>
      </Loaded>
    </EditBase>
  );
  const nameNow = async () => (await dataProvider.getMany(STATES, { ids: [ids.QA1] })).data[0]?.['name'] as string;

  it('saves what was changed, and says so in our own notice', async () => {
    const { person } = await show(edit('pessimistic'));
    const name = await screen.findByLabelText(/^name/);
    await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>('country').options).toHaveLength(2));
    await person.clear(name);
    await person.type(name, 'Renamed');
    await person.selectOptions(screen.getByLabelText('country'), 'QB');
    await person.click(screen.getByText('Save'));
    await screen.findByText('Element updated');
    expect(await nameNow()).toBe('Renamed');
  });

  it('shows what the server refuses at the field', async () => {
    expectComplaints();
    const { person } = await show(edit('pessimistic'));
    const name = await screen.findByLabelText(/^name/);
    await person.clear(name);
    await person.click(screen.getByText('Save'));
    await waitFor(() => expect(name.getAttribute('aria-invalid')).toBe('true'));
    const reason = name.parentElement?.querySelector('em')?.textContent ?? '';
    expect(reason).toContain('State');
    expect((await screen.findByRole('alert')).textContent).toContain(reason);
    expect(await nameNow()).toBe('Renamed');
  });

  it('that can be undone is done once its notice closes, and not where it was undone', async () => {
    const { person } = await show(edit('undoable'));
    const rename = async (to: string) => {
      const name = await screen.findByLabelText(/^name/);
      await person.clear(name);
      await person.type(name, to);
      await person.click(screen.getByText('Save'));
      return noticeOf('Element updated');
    };
    await person.click(within(await rename('Undone')).getByRole('button', { name: 'Undo' }));
    expect(await nameNow()).toBe('Renamed');
    await person.click(within(await rename('Done')).getByRole('button', { name: 'Close' }));
    await waitFor(async () => expect(await nameNow()).toBe('Done'));
  });
});

describe('many rows', () => {
  const Many = () => {
    const notify = useNotify();
    const onError = (error: unknown) => notify((error as Error).message, { type: 'error' });
    const options = { onSuccess: () => notify('done'), onError };
    const [updateMany] = useUpdateMany();
    const [deleteMany] = useDeleteMany();
    const update = (resource: string, data: object) =>
      void updateMany(resource, { ids: [ids.QA1, ids.QA2], data }, options);
    return (
      <>
        <button onClick={() => update(STATES, { name: 'Both' })}>update</button>
        <button onClick={() => update(STATES, { countryId: 'nowhere' })}>refused</button>
        <button onClick={() => void deleteMany(STATES, { ids: [ids.QA2] }, options)}>delete</button>
      </>
    );
  };
  const namesNow = async () =>
    (await dataProvider.getMany(STATES, { ids: Object.values(ids) })).data.map((it) => it['name'] as string).sort();

  it('are changed together or not at all, and deleted', async () => {
    expectComplaints();
    const { person } = await show(Many);
    await person.click(await screen.findByText('refused'));
    expect((await screen.findByRole('alert')).textContent).toMatch(/QA1: .*nowhere.*; QA2: .*nowhere/);
    await person.click(screen.getByText('update'));
    await screen.findByText('done');
    expect(await namesNow()).toEqual(['Both', 'Both', 'State QB1']);
    expect([callsOf('ubsState/bulk'), callsOf('ubsState/modifyById')]).toEqual([3, 0]);
    act(() => notices.closeAll());
    await person.click(screen.getByText('delete'));
    await screen.findByText('done');
    expect(await namesNow()).toEqual(['Both', 'State QB1']);
  });

  it('of a list without bulk changes are changed one by one', async () => {
    const page = { pagination: { page: 1, perPage: 1 }, sort: { field: 'shipId', order: 'ASC' }, filter: {} } as const;
    const { data } = await dataProvider.getList('ubsShipmentList', page);
    server.asked.length = 0;
    await dataProvider.updateMany('ubsShipmentList', { ids: data.map((it) => it.id), data: { name: 'Changed' } });
    expect(server.asked).toEqual(['sysBtn/queryByMenuNo', 'ubsShipment/advancedSearch', 'ubsShipment/modifyById']);
    expect((await dataProvider.getList('ubsShipmentList', page)).data[0]?.['name']).toBe('Changed');
  });
});

describe('what a page asks of the product', () => {
  it('are the rights of the user, by react-admin’s actions and by those of our buttons', async () => {
    const actions = ['list', 'show', 'create', 'edit', 'delete', 'check'];
    const Right = ({ action, resource = 'rmaCheckBillList' }: { action: string; resource?: string }) => {
      const { canAccess } = useCanAccess({ resource, action });
      return canAccess === undefined ? null : <li>{`${resource} ${action} ${String(canAccess)}`}</li>;
    };
    const Rights = () => {
      const { permissions = [] } = usePermissions<string[]>();
      return (
        <ul aria-label={`checks ${String(permissions.includes('rmaCheckBill:check'))}`}>
          {actions.map((it) => (
            <Right key={it} action={it} />
          ))}
          <Right resource={STATES} action="edit" />
        </ul>
      );
    };
    await show(Rights, 'tech');
    const list = await screen.findByRole('list', { name: 'checks true' });
    await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(actions.length + 1));
    const open = within(list).getAllByText(/true$/);
    expect(open.map((it) => it.textContent?.split(' ')[1])).toEqual(['list', 'show', 'check']);
  });

  it('is a store that lasts, of each user their own, and the language', async () => {
    const Stored = () => {
      const [look, setLook] = useStore('states.look', 'plain');
      const [locale, setLocale] = useLocaleState();
      return (
        <>
          <button onClick={() => setLook('fancy')}>{`look ${look}`}</button>
          <button onClick={() => setLocale('zh')}>{`speaks ${locale}`}</button>
        </>
      );
    };
    const first = await show(Stored);
    await first.person.click(await screen.findByText('look plain'));
    await first.person.click(await screen.findByText('speaks en'));
    await screen.findByText('speaks zh');
    expect(localStorage.getItem('local')).toBe('zh');
    await first.person.click(screen.getByRole('button', { name: /系统管理员|admin/i }));
    await first.person.click(await screen.findByRole('menuitem', { name: '退出登录' }));
    await screen.findByLabelText('账号');
    first.unmount();
    const other = await show(Stored, 'office');
    await screen.findByText('look plain');
    other.unmount();
    expect(createUserStore('admin').getItem('states.look')).toBe('fancy');
  });
});
