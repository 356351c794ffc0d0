import { isPhone } from '#domain/contact.ts';
import { SelfPickupStatus } from '#domain/enums.ts';
import type { Problem } from '#domain/refusal.ts';
import { isUnseen } from '#domain/signs.ts';

/** What the review says to a customer who wants to fetch the goods. Rule: events#e38. */
export interface Review {
  selfPickupStatus: string;
  pickupAddress: string;
  /** Epoch ms; NaN for what is no moment, null for none. */
  pickupTime: number | null;
  rejectionReason: string;
  branchContact: string;
}

/** A yes says where and when, not in the past; a no says why; a phone is one. Rule: events#e38. */
export function validateReview(it: Review, now: number): Problem[] {
  const { selfPickupStatus: status } = it;
  if (status === '' || status === SelfPickupStatus.Waiting) return [required('selfPickupStatus')];
  if (status !== SelfPickupStatus.Agreed && status !== SelfPickupStatus.Refused) return [wrong('selfPickupStatus')];
  const problems = status === SelfPickupStatus.Agreed ? validateAgreement(it, now) : [];
  if (status === SelfPickupStatus.Refused && isUnseen(it.rejectionReason)) problems.push(required('rejectionReason'));
  const { branchContact: phone } = it;
  if (phone !== '' && (phone.length > PHONE_LENGTH || !isPhone(phone))) problems.push(wrong('branchContact'));
  return problems;
}

const PHONE_LENGTH = 20;

function validateAgreement({ pickupAddress, pickupTime }: Review, now: number): Problem[] {
  const problems: Problem[] = [];
  if (pickupAddress === '') problems.push(required('pickupAddress'));
  if (pickupTime === null) problems.push(required('pickupTime'));
  else if (Number.isNaN(pickupTime)) problems.push(wrong('pickupTime'));
  else if (pickupTime < now) problems.push({ ...wrong('pickupTime'), key: 'inPast' });
  return problems;
}

const nameOf = (field: keyof Review) => ({ module: 'rmaSelfPickup', field });
const required = (field: keyof Review): Problem => ({ key: 'required', field, args: { fields: [nameOf(field)] } });
const wrong = (field: keyof Review): Problem => ({ key: 'format', field, args: { field: nameOf(field) } });
