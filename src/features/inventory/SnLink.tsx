import MuiLink from '@mui/material/Link';
import { Link } from 'react-router-dom';
import { codeSx } from '#app/theme.ts';

interface Props {
  menuNo: string;
  sn: string;
  view?: string;
  id?: string;
}

/** An SN or a bill that opens its own page. */
export function SnLink({ menuNo, sn, view = 'viewHistory', id = sn }: Props) {
  return (
    <MuiLink component={Link} to={`/${menuNo}/${view}/${encodeURIComponent(id)}`} sx={codeSx}>
      {sn}
    </MuiLink>
  );
}
