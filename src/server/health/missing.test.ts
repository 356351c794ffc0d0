import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import type { Missing } from '#domain/refusal.ts';
import { missingOf } from './missing.ts';

const withCode = (code: string, more: object = {}) => Object.assign(new Error('as if'), { code, ...more });

const table: [what: unknown, Missing | undefined][] = [
  ...['08000', '08001', '08003', '08004', '08006', '08P01', '28000', '28P01', '3D000'].map(
    (it) => [withCode(it), 'databaseDown'] as [unknown, Missing],
  ),
  ...['57P01', '57P02', '57P03', '57P04', '57P05', '58030', '58P01'].map(
    (it) => [withCode(it), 'databaseDown'] as [unknown, Missing],
  ),
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN'].map(
    (it) => [withCode(it, { syscall: 'connect' }), 'databaseDown'] as [unknown, Missing],
  ),
  [new Error('Connection terminated unexpectedly'), 'databaseDown'],
  [new Error('Connection terminated'), 'databaseDown'],
  [new Error('Connection terminated due to connection timeout'), 'databaseDown'],
  [new Error('Client has encountered a connection error and is not queryable'), 'databaseDown'],
  [new Error('Client was closed and is not queryable'), 'databaseDown'],
  [new Error('timeout exceeded when trying to connect'), 'connectionsUsed'],
  [withCode('53300'), 'connectionsUsed'],
  [withCode('53100'), 'databaseFull'],
  [withCode('53200'), 'databaseMemory'],
  [withCode('25006'), 'databaseReadOnly'],
  [new Error('Query read timeout'), 'databaseBusy'],
  ...['40001', '40P01', '53000', '53400', '55P03', '57014', '25P03'].map(
    (it) => [withCode(it), 'databaseBusy'] as [unknown, Missing],
  ),
  [withCode('ENOSPC', { syscall: 'write' }), 'diskFull'],
  [withCode('EDQUOT', { syscall: 'write' }), 'diskFull'],
  [withCode('ENOENT', { syscall: 'open' }), 'filesUnreachable'],
  [withCode('EACCES', { syscall: 'mkdir' }), 'filesUnreachable'],
  [withCode('EROFS', { syscall: 'open' }), 'filesUnreachable'],
  // A fault of the program stays one.
  [withCode('42P01'), undefined],
  [withCode('42703'), undefined],
  [withCode('22P02'), undefined],
  [withCode('23505'), undefined],
  [withCode('ENOENT'), undefined],
  [withCode('ERR_INVALID_ARG_TYPE'), undefined],
  [new TypeError('x is not a function'), undefined],
  ['a text', undefined],
  [null, undefined],
];

describe('what was missing when something went wrong', () => {
  it.each(table)('%o: %s', (error, missing) => {
    expect(missingOf(error)).toBe(missing);
  });

  it('is known of what pg, its pool and the file system really say', async () => {
    const nowhere = { host: '127.0.0.1', port: 1 };
    const refused = await new pg.Client(nowhere).connect().catch((error: unknown) => error);
    expect(missingOf(refused)).toBe('databaseDown');
    const pool = new pg.Pool(nowhere);
    expect(missingOf(await pool.query('SELECT 1').catch((error: unknown) => error))).toBe('databaseDown');
    await pool.end();
    expect(missingOf(await pool.query('SELECT 1').catch((error: unknown) => error))).toBe('databaseDown');
    expect(missingOf(await readFile('/nowhere/at/all').catch((error: unknown) => error))).toBe('filesUnreachable');
  });
});
