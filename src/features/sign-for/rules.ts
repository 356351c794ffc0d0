import type { Problem } from '#domain/refusal.ts';

interface SignFor {
  receiveShipNo: string;
  receivePackageCount: number | null;
}

/**
 * A parcel has a number and consists of at least one package; 0 is refused although the field allows it.
 * Rule: parcels#signing.
 */
export function validateSignFor(it: SignFor): Problem[] {
  const missing = (field: string): Problem => ({
    key: 'required',
    field,
    args: { fields: [{ module: 'rmaArrivalBill', field }] },
  });
  const problems: Problem[] = [];
  if (it.receiveShipNo === '') problems.push(missing('receiveShipNo'));
  if (!it.receivePackageCount) problems.push(missing('receivePackageCount'));
  return problems;
}
