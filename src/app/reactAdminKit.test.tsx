// @vitest-environment jsdom
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  BulkUpdateButton,
  DataTable,
  Edit,
  List,
  ReferenceField,
  ReferenceInput,
  SelectInput,
  SimpleForm,
  TextInput,
} from 'react-admin';
import { App } from '#app/App.tsx';
import { dataProvider } from '#app/dataProvider.ts';
import { i18nProvider } from '#app/i18nProvider.ts';
import { notices } from '#app/notify.ts';
import { closeSession, openSession } from '#app/session.ts';
import { realServer, type RealServer } from '#app/testing/realServer.ts';
import { expectComplaints, prepareBrowser } from '#app/testing/renderApp.tsx';

const STATES = 'ubsStateList';
const COUNTRIES = 'ubsCountryList';
const byCode = { meta: { by: 'countryId' } };

let server: RealServer;
let quarria = 0;
beforeAll(async () => {
  server = await realServer();
  openSession(await server.openToken('admin'));
  await dataProvider.create(COUNTRIES, { data: { countryId: 'QA', name: 'Quarria' } });
  await dataProvider.create(COUNTRIES, { data: { countryId: 'QB', name: 'Qubania' } });
  for (const stateId of ['QA1', 'QA2', 'QA3']) {
    const { data } = await dataProvider.create(STATES, {
      data: { stateId, name: `State ${stateId}`, countryId: 'QA' },
    });
    quarria = Number(data.id);
  }
});
afterEach(() => notices.closeAll());
afterAll(() => server.close());

/** A page of react-admin's own kit, inside of the running product. */
async function show(Page: React.ComponentType) {
  prepareBrowser();
  closeSession();
  await i18nProvider.changeLocale('en');
  openSession(await server.openToken('admin'));
  server.asked.length = 0;
  const router = createMemoryRouter([{ path: '*', element: <App Modules={Page} /> }], {
    initialEntries: [`/${STATES}`],
  });
  render(<RouterProvider router={router} />);
  return userEvent.setup();
}
const namesNow = async () => {
  const { data } = await dataProvider.getList(STATES, {
    pagination: { page: 1, perPage: 10 },
    sort: { field: 'stateId', order: 'ASC' },
    filter: { stateId: 'QA' },
  });
  return data.map((it) => `${it['name']} of ${it['countryId']}`);
};

describe('react-admin’s own kit', () => {
  it('lists in a <DataTable>, sorts, refers, selects and changes many rows', async () => {
    const person = await show(() => (
      <List resource={STATES} filter={{ stateId: 'QA' }} sort={{ field: 'stateId', order: 'ASC' }} exporter={false}>
        <DataTable
          rowClick={false}
          bulkActionButtons={<BulkUpdateButton data={{ name: 'Renamed' }} mutationMode="pessimistic" label="Rename" />}
        >
          <DataTable.Col source="stateId" label="Code" />
          <DataTable.Col source="name" label="State" />
          <DataTable.Col source="countryId" label="Country" disableSort>
            <ReferenceField source="countryId" reference={COUNTRIES} queryOptions={byCode} link={false} />
          </DataTable.Col>
        </DataTable>
      </List>
    ));
    const table = await screen.findByRole('table');
    await waitFor(() => expect(within(table).getAllByText('Quarria')).toHaveLength(3));
    const codes = () =>
      within(table)
        .getAllByText(/^QA\d$/)
        .map((it) => it.textContent);
    expect(codes()).toEqual(['QA1', 'QA2', 'QA3']);
    await person.click(within(table).getByRole('button', { name: /by code/i }));
    await waitFor(() => expect(codes()).toEqual(['QA3', 'QA2', 'QA1']));
    for (const it of within(table).getAllByRole('checkbox').slice(1, 3)) await person.click(it);
    await person.click(await screen.findByRole('button', { name: 'Rename' }));
    await person.click(await screen.findByRole('button', { name: 'Confirm' }));
    await screen.findByText(/elements? updated/i);
    expect(await namesNow()).toEqual(['State QA1 of QA', 'Renamed of QA', 'Renamed of QA']);
  });

  it('edits in a <SimpleForm> with a <ReferenceInput>, and shows what the server refuses at the field', async () => {
    expectComplaints();
    const person = await show(() => (
      <Edit resource={STATES} id={quarria} mutationMode="pessimistic" redirect={false}>
        <SimpleForm>
          <TextInput source="name" label="State" />
          <ReferenceInput source="countryId" reference={COUNTRIES} queryOptions={byCode} filter={{ countryId: 'Q' }}>
            <SelectInput label="Country" optionText="name" />
          </ReferenceInput>
        </SimpleForm>
      </Edit>
    ));
    const name = await screen.findByLabelText<HTMLInputElement>('State');
    await person.clear(name);
    await person.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(name.getAttribute('aria-invalid')).toBe('true'));
    await person.type(name, 'Northern');
    await person.click(await screen.findByRole('combobox', { name: /Country/ }));
    await person.click(await screen.findByRole('option', { name: 'Qubania' }));
    await person.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Element updated');
    expect((await namesNow()).at(-1)).toBe('Northern of QB');
  });
});
