import { useTranslate } from 'ra-core';
import { Choice } from '#app/parts/Choice.tsx';

interface Props {
  /** What could be taken besides; without any there is nothing to choose. */
  names: readonly string[];
  labelOf: (name: string) => string;
  onAdd: (name: string) => void;
}

/** One more, from those that are not there yet. */
export function AddName({ names, labelOf, onAdd }: Props) {
  const translate = useTranslate();
  if (names.length === 0) return null;
  return (
    <Choice
      place="inside"
      label={translate('studio.order.add')}
      value=""
      options={names.map((it) => ({ value: it, label: labelOf(it) }))}
      onChange={(name) => name !== '' && onAdd(name)}
    />
  );
}
