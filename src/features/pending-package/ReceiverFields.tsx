import { useTranslate } from 'ra-core';
import { FieldRow, PackageText, type PartProps } from './FieldRow.tsx';

/** To whom what is repaired goes back. */
export function ReceiverFields(props: PartProps) {
  const translate = useTranslate();
  const say = (key: string) => translate(`bills.package.${key}`);
  return (
    <FieldRow>
      <PackageText {...props} required name="userName" label={say('userName')} />
      <PackageText {...props} required name="mobile" label={translate('stations.field.mobile')} inputMode="tel" />
      <PackageText {...props} name="phone" label={say('phone')} inputMode="tel" />
      <PackageText {...props} name="fax" label={say('email')} inputMode="email" />
    </FieldRow>
  );
}
