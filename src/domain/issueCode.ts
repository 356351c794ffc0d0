import { Flag } from '#domain/enums.ts';
import { normaliseNo } from '#domain/sn.ts';

/** The catalogue in which what a field of the format `issueCodes` holds is explained. */
export const ISSUE_CODE_MODULE = 'ubsIssueCode';

/** The categories of issue codes, in the order of the chain. Rule: checking#issue-codes. */
export const IssueCategory = {
  Receipt: '1',
  Check: '2',
  Confirmation: '3',
  Repair: '4',
  Assembly: '5',
  Aging: '6',
  Qc: '7',
  Store: '8',
  Deliver: '9',
} as const;
export type IssueCategory = (typeof IssueCategory)[keyof typeof IssueCategory];

/** What a first-test code means for the unit: repair it, propose to scrap it, propose that nothing is wrong. */
export const Disposition = { Repair: 'repair', Scrap: 'scrap', NoFault: 'nofault' } as const;

/** A device without a power SN carries this code. Rule: checking#power. */
export const NO_POWER = 'FX409';

/**
 * The 23 codes that always need a picture; an administrator may add others on the code itself. Rule: checking#codes.
 */
export const codesWithImage: readonly string[] = [
  ...['FX57', 'FX56', 'FX55', 'FX54', 'FXF18', 'PJBF', 'FX404', 'FX403', 'UMN99', 'UM99', 'UM11', 'UM97'],
  ...['UM87', 'UM77', 'UM67', 'UM47', 'UM37', 'UM27', 'UM17', 'CL15', 'CL17', 'CL19', 'CLNW15'],
];

export interface IssueCodeFacts {
  code: string;
  /** The code's own switch, `1` when it needs a picture. */
  imageRequired?: string | null;
}

export const normaliseCode = normaliseNo;

/**
 * A chip was replaced: its code starts with C or has L second, so chips are counted and shown. Rule: checking#codes.
 */
export const isChipCode = (code: string): boolean => code.startsWith('C') || code[1] === 'L';

/** Whether the code needs a picture for its own sake, chips aside. */
export const isImageCode = (it: IssueCodeFacts): boolean =>
  it.imageRequired === Flag.Yes || codesWithImage.includes(it.code);

export const needsImage = (codes: readonly IssueCodeFacts[]): boolean =>
  codes.some((it) => isImageCode(it) || isChipCode(it.code));

export const needsChipCount = (codes: readonly { code: string }[]): boolean => codes.some((it) => isChipCode(it.code));

/** Issue codes as they stand in one text (`FX54,UM17`). */
export const codesOfText = (text: string | null): string[] => (text ?? '').split(',').filter((it) => it !== '');
