import Box from '@mui/material/Box';
import { useTranslate } from 'ra-core';
import { Choice } from '#app/parts/Choice.tsx';
import { Confirmation } from '#domain/enums.ts';

interface Props {
  kind: 'scrap' | 'nofault';
  value: string;
  problem: string | undefined;
  onChange: (value: string) => void;
}

/**
 * Please select, yes, no: what a supervisor may say. The two buttons of the page choose it; before that it is asked for
 * only of who submits without one. Rule: checking#supervisor.
 */
export function StatusChoice({ kind, value, problem, onChange }: Props) {
  const translate = useTranslate();
  const options = [
    { value: Confirmation.Waiting, label: translate('stations.confirm.select') },
    { value: Confirmation.Confirmed, label: translate(`stations.confirm.${kind}.yes`) },
    { value: Confirmation.Declined, label: translate(`stations.confirm.${kind}.no`) },
  ];
  if (value === Confirmation.Waiting && problem === undefined) {
    return <Box sx={{ color: 'text.secondary', fontSize: 13 }}>{translate('stations.confirm.hint')}</Box>;
  }
  return (
    <Choice
      required
      hasRoom
      label={translate(`stations.confirm.${kind}.status`)}
      value={value}
      options={options}
      error={problem}
      onChange={onChange}
    />
  );
}
