import type { ColumnType, Generated } from 'kysely';
import type { JobState } from '#domain/jobs.ts';

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
    endsAt: Now;
  };
  captcha: { uuid: string; answer: string; expiresAt: Moment };
  error_log: {
    id: Generated<number>;
    at: Now;
    type: string;
    code: string;
    message: string;
    url: string;
    time: Moment;
    userId: string;
    userName: string;
    sessionMark: string;
    userAgent: string;
    requestId: string;
  };
  sso_ticket: { ticketHash: Buffer; usedAt: Now };
  login_attempt: { bucket: string; fails: Generated<number>; windowStart: Now; lockedUntil: MaybeMoment };
  known_address: { userId: string; network: string; lastAt: Now };
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
    /** From where; null of what a job did. */
    address: string | null;
  };
  definition_change: {
    id: Generated<number>;
    publishId: number;
    module: string;
    change: Json;
    rightsBefore: Json;
  };
  definition_draft: {
    draftId: number;
    module: string;
    change: Json;
    version: Generated<number>;
    updateBy: string;
    /** The roles whose rights it gives, by what they are called: the ids of their rows. */
    roles: Json;
    updateTime: Now;
  };
  definition_publish: {
    id: Generated<number>;
    at: Now;
    userId: string;
    note: Generated<string>;
    takesBack: Generated<number[]>;
    isInForce: Generated<boolean>;
    /** Of one that is set aside: why. */
    trouble: Json;
    /** The roles that were there then, by what they were called: the ids of their rows. */
    roles: Json;
  };
  definition_taken: {
    id: Generated<number>;
    at: Now;
    module: string;
    tableName: string;
    columnName: Generated<string>;
    publishId: number;
    keptAs: string | null;
  };
  /** What people have scanned and not submitted, for others at the same bill. */
  station_scans: {
    siteId: string;
    station: string;
    bill: string;
    userId: string;
    userName: string;
    snList: string[];
    expiresAt: Moment;
  };
  user_coin: { userId: string; coin: string };
  table_change: { name: string; backend: number; n: number };
  list_view: {
    id: Generated<number>;
    module: string;
    name: string;
    userId: string;
    roleId: string | null;
    state: Json;
    version: Generated<number>;
    createTime: Now;
    updateTime: Now;
  };
  list_setting: { userId: string; module: string; columns: Json; defaultId: number | null };
  /** TH/s of a worker; read by the hash-rate charts. */
  hash_rate_sample: { userOid: string; workerId: string; at: Moment; hashRate: number };
  /** What samples add up to in an hour or a day of the workshop's clock; `at` is when it began. */
  hash_rate_slot: {
    userOid: string;
    workerId: string;
    span: 'hour' | 'day';
    at: Moment;
    total: number;
    count: number;
  };
  service_secret: { secretHash: Buffer; tokenId: number; createdAt: Now; endsAt: MaybeMoment };
  service_allowance: { tokenId: number; amount: number; at: Now };
  serial_number: { single: Generated<boolean>; last: number };
  wafer_receipt: { waferPn: string; waferLotId: string; waferId: string; wipId: string };
  reported_row: {
    id: Generated<number>;
    workOrderNo: string;
    position: string;
    told: string;
    dateCode: string;
    repeat: Generated<number>;
    userId: string;
    at: Now;
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
    /** A row has it; no other one gets it. */
    inUse: Generated<boolean>;
    /** Whose alone it is; null: seen by its site. */
    owner: string | null;
    /** The same for who reads in English. */
    englishId: Generated<string | null>;
  };
  job: {
    id: Generated<number>;
    kind: string;
    title: string;
    module: string;
    userId: string;
    siteId: string;
    scope: ColumnType<unknown, string, string>;
    lang: string;
    input: ColumnType<unknown, string, string>;
    state: Generated<JobState>;
    attempt: Generated<number>;
    worker: number | null;
    progress: Generated<number>;
    total: number | null;
    checkpoint: Json;
    result: Json;
    fileId: string | null;
    problem: Json;
    createdAt: Now;
    startedAt: MaybeMoment;
    finishedAt: MaybeMoment;
    wokenAt: Now;
    expiresAt: MaybeMoment;
  };
}
