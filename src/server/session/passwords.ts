import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hash, verify } from '@node-rs/argon2';
import { validatePassword } from '#domain/password.ts';
import { refuseIfAny, type Problem } from '#domain/refusal.ts';
import { ROOT } from '#server/root.ts';

/** OWASP's figures; argon2id is what the package does unless told otherwise. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, COST);

/**
 * Whether the password fits. Without a hash (nobody of that name) it works as long as with one, so that the time tells
 * nobody which accounts exist. Rule: sessions#sign-in.
 */
export async function fitsPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const fits = await verify(stored ? stored.replace(/^once:/, '') : await nobodys, password).catch(() => false);
  return Boolean(stored) && fits;
}

const nobodys = hashPassword('nobody has this password');

/**
 * The hash of a password that somebody chose, where `names` may not be in it.
 * @throws Refusal when it breaks the rule, everybody knows it, or it says whose it is.
 */
export async function hashNewPassword(
  password: string,
  field: string,
  min: number,
  names: readonly string[] = [],
): Promise<string> {
  refuseIfAny([
    ...validatePassword(password, field, min),
    ...validateUncommon(password, field),
    ...validateWithoutNames(password, field, names),
  ]);
  return hashPassword(password);
}

/** Two plain letters are in many a password by chance; two Chinese ones are somebody's name. */
const isName = (name: string) => name.length >= (/^[\x21-\x7e]*$/.test(name) ? 3 : 2);

/** A password that contains one of these names, in either case, with signs between its letters or instead of them. */
export function validateWithoutNames(password: string, field: string, names: readonly string[]): Problem[] {
  const bare = (text: string) =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, '');
  const readings = [
    bare(password),
    bare(password.toLowerCase().replace(/[@431!0$57]/g, (sign) => masks[sign] ?? sign)),
  ];
  const isNamed = names.map(bare).some((name) => isName(name) && readings.some((it) => it.includes(name)));
  return isNamed ? [{ key: 'passwordNames', field }] : [];
}

/**
 * A password is common when nothing but a well-known word is left of it without its digits and signs (`P@ssw0rd!1`),
 * or a well-known number with a letter or three (`abc123456!`).
 */
export function validateUncommon(password: string, field: string): Problem[] {
  const plain = password.toLowerCase();
  const isCommon = [plain, unmasked(plain)].some((it) => {
    const word = it.replace(/[^a-z]/g, '');
    return commonWords.has(word.length < 4 ? it.replace(/[^0-9]/g, '') : word);
  });
  return isCommon ? [{ key: 'passwordCommon', field }] : [];
}

const masks: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
};

/** Signs between letters stand for letters; those at the ends are only hung on. */
const unmasked = (password: string): string =>
  password.replace(/^[^a-z@$]+|[^a-z]+$/g, '').replace(/[@431!0$57]/g, (sign) => masks[sign] ?? sign);

const commonWords: ReadonlySet<string> = new Set(
  readFileSync(join(ROOT, 'src/server/session/commonPasswords.txt'), 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#')),
);
