import { Link, useLocation } from 'react-router-dom';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useIsPhone, useIsTablet } from '#app/shell/appearance.ts';
import { parsePageAddress } from '#app/shell/pageAddress.ts';
import { usePageNames } from '#app/shell/pageNames.ts';
import { findTabAddress } from '#app/shell/tabs.ts';
import { cutSx, monospace } from '#app/theme.ts';

/**
 * Where the user is: groups of the menu, the list, the view and its record. The last of them is the page's heading, and
 * its only one of the first level. Rule: screens#shell.
 */
export function Breadcrumb() {
  const translate = useTranslate();
  const page = parsePageAddress(useLocation().pathname);
  const { groups, entry, view, record } = usePageNames(page);
  const [isPhone, isTablet] = [useIsPhone(), useIsTablet()];
  const crumbs = [
    ...groups.map((it) => ({ text: it.menuName })),
    { text: entry, to: view ? findTabAddress(`/${page.menuNo}`) : undefined },
    ...(view ? [{ text: view }] : []),
    ...(view && record ? [{ text: record, isCode: true }] : []),
  ] satisfies Crumb[];
  // A group that is called as its only entry is said once.
  const told: Crumb[] = crumbs.filter((it, i) => it.text !== crumbs[i + 1]?.text);
  const shown = told.slice(isPhone ? -1 : isTablet ? -2 : 0);
  return (
    <Box component="nav" aria-label={translate('shell.breadcrumb')}>
      <Box component="ol" sx={{ display: 'flex', alignItems: 'baseline', listStyle: 'none', m: 0, p: 0, minWidth: 0 }}>
        {shown.map((it, i) => (
          <CrumbItem key={i} crumb={it} isLast={i === shown.length - 1} />
        ))}
      </Box>
    </Box>
  );
}

interface Crumb {
  text: string;
  to?: string;
  isCode?: boolean;
}

function CrumbItem({ crumb, isLast }: { crumb: Crumb; isLast: boolean }) {
  return (
    <Box
      component="li"
      aria-current={isLast ? 'page' : undefined}
      sx={{
        display: 'flex',
        minWidth: 0,
        overflow: 'hidden',
        whiteSpace: 'nowrap',
        // Where there is no room for all, the way there goes before the place itself is cut.
        flexShrink: isLast ? 1 : 100_000,
        fontSize: 13,
        lineHeight: '28px',
        color: 'text.secondary',
        '& a': { color: 'inherit', textDecoration: 'none', '&:hover': { textDecoration: 'underline' } },
      }}
    >
      {isLast ? (
        <Typography
          variant="h1"
          title={crumb.text}
          sx={{
            ...cutSx,
            fontSize: { xs: 15, sm: 18 },
            color: 'text.primary',
            ...(crumb.isCode && { fontFamily: monospace, fontSize: { xs: 14, sm: 16 } }),
          }}
        >
          {crumb.text}
        </Typography>
      ) : (
        <>
          <Box component="span" sx={cutSx}>
            {crumb.to ? <Link to={crumb.to}>{crumb.text}</Link> : crumb.text}
          </Box>
          <Box component="span" aria-hidden sx={{ px: 1.5, color: 'text.secondary' }}>
            /
          </Box>
        </>
      )}
    </Box>
  );
}
