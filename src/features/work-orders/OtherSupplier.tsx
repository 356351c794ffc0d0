import { useTranslate } from 'ra-core';
import { Confirm } from '#app/parts/Confirm.tsx';

interface Props {
  /** How many wafers or bins the order holds. */
  count: number;
  onConfirm: () => void;
  onCancel: () => void;
}

/** With another supplier what the order holds goes back to its banks, once that is confirmed. Rule: wafer-bank#drafts. */
export function OtherSupplier({ count, onConfirm, onCancel }: Props) {
  const translate = useTranslate();
  return (
    <Confirm
      open
      danger
      title={translate('bills.order.otherSupplier')}
      action={translate('bills.order.giveBack')}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      {translate('bills.order.linesGo', { count })}
    </Confirm>
  );
}
