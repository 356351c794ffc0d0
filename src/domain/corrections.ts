import { Type, type Static } from 'typebox';

/** A correction of a line of a settled bill that is not rejected, beside the one that is asked about. Rule: money#correction-bills. */
export const OtherCorrection = Type.Object({
  ...{ lineId: Type.Integer(), crbId: Type.String(), billStatus: Type.String(), amount: Type.String() },
});
export type OtherCorrection = Static<typeof OtherCorrection>;
