import { expect, it } from 'vitest';
import { validateSignFor } from './rules.ts';

it.each([
  [{ receiveShipNo: 'SF1', receivePackageCount: 1 }, []],
  [{ receiveShipNo: '', receivePackageCount: 1 }, ['receiveShipNo']],
  [{ receiveShipNo: 'SF1', receivePackageCount: 0 }, ['receivePackageCount']],
  [{ receiveShipNo: 'SF1', receivePackageCount: null }, ['receivePackageCount']],
  [{ receiveShipNo: '', receivePackageCount: 0 }, ['receiveShipNo', 'receivePackageCount']],
])('a parcel has a number and at least one package: %j', (it, fields) => {
  expect(validateSignFor(it).map((problem) => `${problem.key} ${problem.field}`)).toEqual(
    fields.map((field) => `required ${field}`),
  );
});
