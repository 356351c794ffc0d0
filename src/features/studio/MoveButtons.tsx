import { useTranslate } from 'ra-core';
import ArrowDownward from '@mui/icons-material/ArrowDownward';
import ArrowUpward from '@mui/icons-material/ArrowUpward';
import { IconAction } from '#app/parts/IconAction.tsx';

interface Props {
  name: string;
  at: number;
  count: number;
  onMove: (by: -1 | 1) => void;
}

/** One place up or down among its own. */
export function MoveButtons({ name, at, count, onMove }: Props) {
  const translate = useTranslate();
  return (
    <>
      <IconAction
        size={14}
        label={translate('studio.order.up', { name })}
        Icon={ArrowUpward}
        disabled={at === 0}
        onClick={() => onMove(-1)}
      />
      <IconAction
        size={14}
        label={translate('studio.order.down', { name })}
        Icon={ArrowDownward}
        disabled={at === count - 1}
        onClick={() => onMove(1)}
      />
    </>
  );
}
