import Box from '@mui/material/Box';
import MuiLink from '@mui/material/Link';
import { Link } from 'react-router-dom';
import { useBillAddress } from '#app/parts/billPage.ts';
import { addressOfSn, useSeesSns } from '#app/parts/snPage.ts';
import { codeSx } from '#app/theme.ts';
import { NO_PART } from '#domain/sn.ts';

/** An SN; a link to its page for those who may open it. */
export function SnLink({ sn }: { sn: string }) {
  const seesSns = useSeesSns();
  return <CodeLink text={sn} to={seesSns && sn !== NO_PART ? addressOfSn(sn) : undefined} />;
}

/** A bill's number; a link for those whose menu has its list. */
export function BillLink({ menuNo, id }: { menuNo: string; id: string }) {
  return <CodeLink text={id} to={useBillAddress(menuNo, id)} />;
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
