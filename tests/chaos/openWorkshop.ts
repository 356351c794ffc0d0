import { startTestApp } from '#tests/support/app.ts';
import { readCodeIds } from '#tests/support/guard.ts';
import { uploadPicture } from '#tests/support/pictures.ts';
import type { Server } from './commands.ts';
import { openDatabaseView, type DatabaseView } from './databaseView.ts';
import type { Goods } from './workshopModel.ts';

/** The machines that the archive knows, each with its model. */
export const sns = [
  ...Array.from({ length: 18 }, (_, i) => ['RX19', `RX19SIM${String(i).padStart(5, '0')}`] as const),
  ...Array.from({ length: 12 }, (_, i) => ['RX21', `RX21SIM${String(i).padStart(5, '0')}`] as const),
];

/** All models that there are. */
export const models = new Map<string, Goods>([
  ['RX19', 'device'],
  ['RX21', 'device'],
  ['HB19', 'board'],
  ['HB21', 'board'],
]);

/** An empty workshop with the people of two sites, and an eye on all it keeps. */
export interface Workshop extends Server, DatabaseView {}

export async function openWorkshop(): Promise<Workshop> {
  // What nobody foresaw is told with its cause.
  const testApp = await startTestApp({ logLevel: 'error' });
  await testApp.db
    .insertInto('ubs_item_object')
    .values(sns.map(([salesCode, sn]) => ({ sn, itemId: 1, salesCode, itemName: salesCode, type: '0', origin: '1' })))
    .execute();
  const another = {
    itemId: 21,
    salesCode: 'HB21',
    name: 'RX21 board',
    productName: 'HB21',
    type: '1',
    deviceType: '1',
    snControl: '1',
  };
  await testApp.db.insertInto('ubs_item').values(another).execute();
  const { password, roleIds } = await testApp.db
    .selectFrom('admin_user')
    .select(['password', 'roleIds'])
    .where('userId', '=', 'supervisor')
    .executeTakeFirstOrThrow();
  const supervisor = { userId: 'superNB', userName: 'superNB', password, roleIds };
  await testApp.db
    .insertInto('admin_user')
    .values({ ...supervisor, siteId: 'NB', allSites: '0', status: '1' })
    .execute();
  const eye = await openDatabaseView(testApp.url);
  return {
    testApp,
    codes: await readCodeIds(testApp),
    pictures: { SZ: () => uploadPicture(testApp, 'tech'), NB: () => uploadPicture(testApp, 'techNB') },
    look: eye.look,
    close: async () => {
      await eye.close();
      await testApp.close();
    },
  };
}
