import type { ColumnType, Generated } from 'kysely';

/** A moment: read as epoch ms, written as a Date (or by the database's own now()). */
export type Moment = ColumnType<number, Date | string, Date | string>;
export type MaybeMoment = ColumnType<number | null, Date | string | null | undefined, Date | string | null>;
type Now = ColumnType<number, Date | string | undefined, Date | string>;
type Json = ColumnType<unknown, string | null | undefined, string | null>;

/** The tables of `migrations/`: what no definition owns. */
export interface PlatformTables {
  session: {
    tokenHash: Buffer;
    userId: string;
    began: 'password' | 'ticket';
    ip: string;
    createdAt: Now;
    lastSeenAt: Now;
    expiresAt: Moment;
  };
  captcha: { uuid: string; answer: string; expiresAt: Moment };
  login_attempt: { bucket: string; fails: Generated<number>; windowStart: Now; lockedUntil: MaybeMoment };
  role_right: { roleId: string; right: string };
  idempotency_key: {
    userId: string;
    route: string;
    key: string;
    bodyHash: Buffer;
    answer: Json;
    createdAt: Now;
  };
  ledger: {
    id: Generated<number>;
    at: Now;
    userId: string;
    siteId: string;
    what: string;
    module: string;
    recordId: string;
    before: Json;
    after: Json;
    requestId: string;
  };
  definition_change: {
    id: Generated<number>;
    at: Now;
    userId: string;
    note: Generated<string>;
    module: string;
    change: Json;
    takesBack: number | null;
  };
  bill_number: { prefix: string; day: ColumnType<number, string, string>; last: number };
  file: {
    id: string;
    kind: string;
    name: string;
    mime: string;
    size: number;
    siteId: string;
    right: Generated<string>;
    createBy: string;
    createdAt: Now;
  };
}
