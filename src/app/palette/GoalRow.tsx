import { useEffect, useRef } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import DescriptionOutlined from '@mui/icons-material/DescriptionOutlined';
import LocalShippingOutlined from '@mui/icons-material/LocalShippingOutlined';
import MemoryOutlined from '@mui/icons-material/MemoryOutlined';
import TableRowsOutlined from '@mui/icons-material/TableRowsOutlined';
import type { Goal } from '#app/palette/finding.ts';
import { cutSx, monospace } from '#app/theme.ts';

const icons = {
  screen: TableRowsOutlined,
  sn: MemoryOutlined,
  bill: DescriptionOutlined,
  parcel: LocalShippingOutlined,
};

interface GoalRowProps {
  id: string;
  goal: Goal;
  isChosen: boolean;
  onChoose: () => void;
}

export function GoalRow({ id, goal, isChosen, onChoose }: GoalRowProps) {
  const translate = useTranslate();
  const row = useRef<HTMLLIElement>(null);
  const Icon = icons[goal.kind];
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    <Box
      component="li"
      ref={row}
      id={id}
      role="option"
      aria-selected={isChosen}
      onMouseDown={(event: React.MouseEvent) => event.preventDefault()}
      onClick={onChoose}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 3,
        px: 2,
        height: 40,
        borderRadius: 1,
        cursor: 'pointer',
        bgcolor: isChosen ? 'action.selected' : 'transparent',
        '&:hover': { bgcolor: isChosen ? 'action.selected' : 'action.hover' },
      }}
    >
      <Icon sx={{ fontSize: 18, color: 'text.secondary' }} titleAccess={translate(`shell.palette.kind.${goal.kind}`)} />
      <Box
        component="span"
        sx={{ ...cut, flex: '0 1 auto', fontFamily: goal.kind === 'screen' ? undefined : monospace, fontSize: 13 }}
      >
        {goal.text}
      </Box>
      <Box component="span" sx={{ ...cut, ml: 'auto', color: 'text.secondary', fontSize: 12 }}>
        {goal.label}
      </Box>
    </Box>
  );
}

const cut = { ...cutSx, minWidth: 0 } as const;
