import Box from '@mui/material/Box';
import MuiLink from '@mui/material/Link';
import { Link } from 'react-router-dom';
import { entryOf } from '#app/engine/module.ts';
import { addressOfSn, useSeesSns } from '#app/parts/snPage.ts';
import { useMenu } from '#app/session.ts';
import { codeSx } from '#app/theme.ts';
import { NO_PART } from '#domain/sn.ts';

/** An SN; a link to its page for those who may open it. */
export function SnLink({ sn }: { sn: string }) {
  const seesSns = useSeesSns();
  return <CodeLink text={sn} to={seesSns && sn !== NO_PART ? addressOfSn(sn) : undefined} />;
}

/** A bill's number; a link for those whose menu has its list. */
export function BillLink({ menuNo, id }: { menuNo: string; id: string }) {
  const menu = useMenu();
  const isOpen = menu !== null && entryOf(menuNo, menu) !== undefined;
  return <CodeLink text={id} to={isOpen ? `/${menuNo}/detail/${encodeURIComponent(id)}` : undefined} />;
}

function CodeLink({ text, to }: { text: string; to: string | undefined }) {
  if (to === undefined) {
    return (
      <Box component="span" sx={codeSx}>
        {text}
      </Box>
    );
  }
  return (
    <MuiLink component={Link} to={to} sx={codeSx}>
      {text}
    </MuiLink>
  );
}
