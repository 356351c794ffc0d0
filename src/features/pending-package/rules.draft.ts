import { normaliseNo } from '#domain/sn.ts';
import type { Parcel } from './rules.ts';

/** What has been entered so far, as it stands in the fields. */
export type PackageDraft = Omit<Parcel, 'repairableCount'> & {
  repairableCount: string;
  repairInfo: string;
  urls: readonly string[];
  /** Another site than one's own, where somebody works for several. */
  siteId: string;
};

export const freshPackage: PackageDraft = {
  languageType: 'zh',
  receiveShipId: '',
  receiveShipNo: '',
  repairableCount: '',
  userName: '',
  mobile: '',
  phone: '',
  fax: '',
  countryCode: '',
  stateCode: '',
  stateName: '',
  cityName: '',
  street: '',
  zipcode: '',
  repairInfo: '',
  urls: [],
  siteId: '',
};

/** The parcel that these fields say. */
export function parcelOf(it: PackageDraft): Parcel {
  const count = it.repairableCount.trim();
  return {
    languageType: it.languageType,
    receiveShipId: it.receiveShipId,
    receiveShipNo: normaliseNo(it.receiveShipNo),
    repairableCount: count === '' ? null : Number(count),
    userName: it.userName.trim(),
    mobile: it.mobile.trim(),
    phone: it.phone.trim(),
    fax: it.fax.trim(),
    countryCode: it.countryCode,
    stateCode: it.stateCode,
    stateName: it.stateName.trim(),
    cityName: it.cityName.trim(),
    street: it.street.trim(),
    zipcode: it.zipcode.trim(),
  };
}
