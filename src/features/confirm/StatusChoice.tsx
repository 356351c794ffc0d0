import { useTranslate } from 'ra-core';
import { Choice } from '#app/parts/Choice.tsx';
import { Confirmation } from '#domain/enums.ts';

interface Props {
  kind: 'scrap' | 'nofault';
  value: string;
  problem: string | undefined;
  onChange: (value: string) => void;
}

/** Please select, yes, no: what a supervisor may say; the page is opened for it. Rule: checking#supervisor. */
export function StatusChoice({ kind, value, problem, onChange }: Props) {
  const translate = useTranslate();
  const options = [
    { value: Confirmation.Waiting, label: translate('stations.confirm.select') },
    { value: Confirmation.Confirmed, label: translate(`stations.confirm.${kind}.yes`) },
    { value: Confirmation.Declined, label: translate(`stations.confirm.${kind}.no`) },
  ];
  return (
    <Choice
      required
      autoFocus
      hasRoom
      label={translate(`stations.confirm.${kind}.status`)}
      value={value}
      options={options}
      error={problem}
      onChange={onChange}
    />
  );
}
