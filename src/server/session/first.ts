import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql, type Kysely } from 'kysely';
import type { Model } from '#domain/definition/grammar.ts';
import { Flag, flag, UserStatus } from '#domain/enums.ts';
import { rightsOfSeed } from '#domain/rights.ts';
import type { Tables } from '#server/db/tables.ts';
import { hashPassword } from '#server/session/passwords.ts';
import { ONE_TIME } from '#server/session/sessions.ts';

/**
 * Fills roles and their rights from `definitions/roles.json` when there are none; afterwards roles are rows.
 * Rule: sessions#first-start.
 */
export async function seedRoles(db: Kysely<Tables>, model: Model): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const some = await trx.selectFrom('admin_role').select('id').limit(1).executeTakeFirst();
    if (some || model.roles.length === 0) return false;
    const roles = model.roles.map(({ roleId, label, allSites }) => ({
      roleId,
      name: label.zh,
      nameEn: label.en,
      allSites: flag(allSites === true),
      createBy: 'system',
    }));
    // Two servers may start at once: the unique roleId lets one of them win.
    await trx
      .insertInto('admin_role')
      .values(roles)
      .onConflict((it) => it.doNothing())
      .execute();
    const rights = model.roles.flatMap((role) => rightsOfSeed(role).map((right) => ({ roleId: role.roleId, right })));
    await trx
      .insertInto('role_right')
      .values(rights)
      .onConflict((it) => it.doNothing())
      .execute();
    return true;
  });
}

const PASSWORD_FILE = 'first-password';

/**
 * Where nobody can sign in yet, makes `admin` with a one-time password and keeps it in a file of `dataDir` that only the
 * server's user reads; `say` tells which. With it nothing can be done but change it, and once it is changed the next start
 * takes the file away. Rule: sessions#first-start.
 */
export async function ensureFirstAdmin(
  db: Kysely<Tables>,
  { dataDir, say }: { dataDir: string; say: (line: string) => void },
): Promise<void> {
  const file = join(dataDir, PASSWORD_FILE);
  const some = await db.selectFrom('admin_user').select('id').limit(1).executeTakeFirst();
  if (some) {
    if (existsSync(file) && !(await isUnchanged(db))) rmSync(file);
    return;
  }
  const password = oneTimePassword();
  // Beside, as another server may be making another one: the file is that of who made the account.
  const beside = `${file}.${process.pid}`;
  mkdirSync(dataDir, { recursive: true });
  rmSync(beside, { force: true });
  writeFileSync(beside, `${password}\n`, { mode: 0o600, flag: 'wx' });
  try {
    const made = await db
      .insertInto('admin_user')
      .values({
        userId: 'admin',
        userName: 'admin',
        password: `${ONE_TIME}${await hashPassword(password)}`,
        roleIds: 'admin',
        allSites: Flag.Yes,
        status: UserStatus.On,
        createBy: 'system',
      })
      .onConflict((it) => it.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!made) return;
    renameSync(beside, file);
    say(`The first user is admin; the one-time password, which must be changed, is in ${file}`);
  } finally {
    rmSync(beside, { force: true });
  }
}

async function isUnchanged(db: Kysely<Tables>): Promise<boolean> {
  const { rows } =
    await sql`SELECT 1 FROM admin_user WHERE "userId" = 'admin' AND password LIKE ${`${ONE_TIME}%`}`.execute(db);
  return rows.length > 0;
}

/** 18 letters and digits that nobody misreads: more than 90 bits. */
const oneTimePassword = (): string =>
  Array.from({ length: 18 }, () => READABLE[randomInt(READABLE.length)])
    .join('')
    .replace(/(.{6})(?=.)/g, '$1-');
const READABLE = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789';
