import { Link, useLocation } from 'react-router-dom';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import { useIsPhone } from '#app/shell/appearance.ts';
import { parsePageAddress } from '#app/shell/pageAddress.ts';
import { usePageNames } from '#app/shell/pageNames.ts';
import { findTabAddress } from '#app/shell/tabs.ts';
import { cutSx, monospace } from '#app/theme.ts';

/** Where the user is: groups of the menu, the list, the view and its record. */
export function Breadcrumb() {
  const translate = useTranslate();
  const page = parsePageAddress(useLocation().pathname);
  const { groups, entry, view, id } = usePageNames(page);
  const isPhone = useIsPhone();
  const crumbs = [
    ...groups.map((it) => ({ text: it.menuName })),
    { text: entry, to: view ? findTabAddress(`/${page.menuNo}`) : undefined },
    ...(view ? [{ text: view }] : []),
    ...(view && id ? [{ text: id, isCode: true }] : []),
  ] satisfies Crumb[];
  const shown: Crumb[] = isPhone ? crumbs.slice(-1) : crumbs;
  return (
    <Box component="nav" aria-label={translate('shell.breadcrumb')}>
      <Box component="ol" sx={{ display: 'flex', listStyle: 'none', m: 0, p: 0, minWidth: 0 }}>
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
        minWidth: isLast ? 0 : 28,
        // Where there is no room for all, the way there is cut before the place itself.
        flexShrink: isLast ? 1 : 1000,
        fontSize: 13,
        lineHeight: '20px',
        color: isLast ? 'text.primary' : 'text.secondary',
        fontWeight: isLast ? 600 : 400,
        fontFamily: crumb.isCode ? monospace : undefined,
        '& a': { color: 'inherit', textDecoration: 'none', '&:hover': { textDecoration: 'underline' } },
      }}
    >
      <Box component="span" sx={cutSx}>
        {crumb.to ? <Link to={crumb.to}>{crumb.text}</Link> : crumb.text}
      </Box>
      {!isLast && (
        <Box component="span" aria-hidden sx={{ px: 1.5, color: 'text.disabled' }}>
          /
        </Box>
      )}
    </Box>
  );
}
