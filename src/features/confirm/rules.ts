import { Confirmation, DutySourse } from '#domain/enums.ts';
import type { Problem } from '#domain/refusal.ts';

/** What a supervisor says to a proposed scrap. Rule: checking#supervisor. */
export interface ScrapWord {
  scrapStatus: string;
  declineScrapRemark: string;
  dutySourse: string;
  dutySourseRemark: string;
}

/** What a supervisor says to a proposed no-fault. Rule: checking#supervisor. */
export interface NofaultWord {
  nofaultConfirmStatus: string;
  nofaultConfirmRemark: string;
}

/** A yes to a scrap says whose fault it is and how the unit looks, a no says why. Rule: events#e11, events#e12. */
export function validateScrap(word: ScrapWord): Problem[] {
  const status = validateStatus(word.scrapStatus, 'scrapStatus');
  if (status) return [status];
  if (word.scrapStatus === Confirmation.Declined) return validateRequired(word, ['declineScrapRemark']);
  const missing = validateRequired(word, ['dutySourse', 'dutySourseRemark']);
  const isKnown = Object.values<string>(DutySourse).includes(word.dutySourse);
  return missing.length > 0 || isKnown ? missing : [{ key: 'format', ...saying('dutySourse', 'field') }];
}

/** A yes to a no-fault stands by itself, a no says why. Rule: events#e13, events#e14. */
export function validateNofault(word: NofaultWord): Problem[] {
  const status = validateStatus(word.nofaultConfirmStatus, 'nofaultConfirmStatus');
  if (status) return [status];
  return word.nofaultConfirmStatus === Confirmation.Declined ? validateRequired(word, ['nofaultConfirmRemark']) : [];
}

type Field = keyof ScrapWord | keyof NofaultWord;

const saying = (field: Field, arg: 'field' | 'fields') => {
  const name = { module: 'rmaCheckBillLine', field };
  return { field, args: { [arg]: arg === 'fields' ? [name] : name } };
};

function validateStatus(status: string, field: Field): Problem | null {
  if (status === '' || status === Confirmation.Waiting) return { key: 'required', ...saying(field, 'fields') };
  const isKnown = status === Confirmation.Confirmed || status === Confirmation.Declined;
  return isKnown ? null : { key: 'format', ...saying(field, 'field') };
}

const validateRequired = <Word extends object>(word: Word, fields: readonly (keyof Word & Field)[]): Problem[] =>
  fields.filter((it) => word[it] === '').map((it): Problem => ({ key: 'required', ...saying(it, 'fields') }));
