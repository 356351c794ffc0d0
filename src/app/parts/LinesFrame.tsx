import { styled } from '@mui/material/styles';
import { valueStyles } from '#app/engine/TableFrame.tsx';

/** The lines of a bill that are judged or corrected, under a head of their own; what is said in `small` stands below. */
export const LinesFrame = styled('section')(({ theme }) => ({
  border: `1px solid ${theme.palette.divider}`,
  borderRadius: 6,
  backgroundColor: theme.palette.background.paper,
  minWidth: 0,
  '& .count': { color: theme.palette.text.secondary, fontWeight: 400, fontSize: 13 },
  '& th, & td': { whiteSpace: 'nowrap' },
  '& tbody tr': { height: 48 },
  // Which line it is stays in sight, however far it is scrolled, and in front of what passes below it.
  '& th:first-of-type, & td:first-of-type': { position: 'sticky', left: 0, zIndex: 1 },
  '& td:first-of-type, & th:first-of-type:not(.MuiTableCell-stickyHeader)': {
    backgroundColor: theme.palette.background.paper,
  },
  '& td small': { display: 'block', fontSize: 11, lineHeight: '14px', color: theme.palette.text.secondary },
  '& tr.corrected td:first-of-type': { boxShadow: `inset 3px 0 ${theme.palette.primary.main}` },
  ...valueStyles(theme),
}));
