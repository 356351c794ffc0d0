import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import TranslateOutlined from '@mui/icons-material/TranslateOutlined';
import { languages } from '#domain/words.ts';
import { i18nProvider } from '#app/i18nProvider.ts';
import { readAnew } from '#app/queryClient.ts';
import { useLanguage } from '#app/session.ts';
import { loadUser } from '#app/sessionCalls.ts';

/** What is asked for under the name of its language is asked anew by itself. */
const isSpoken = (key: readonly unknown[]) => key[0] !== 'session' && !languages.some((it) => it === key.at(-1));

/** Chinese simplified or English; what the server names is read again in the new language. */
export function LanguageSwitch() {
  const translate = useTranslate();
  const client = useQueryClient();
  const language = useLanguage();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const shown = language === 'zh' ? '中文' : 'EN';
  const offered = i18nProvider.getLocales?.() ?? [];
  const choose = async (next: string) => {
    setAnchor(null);
    if (next === language) return;
    await i18nProvider.changeLocale(next);
    // The name of the site is the language's; without an answer the one that is known stays.
    loadUser().catch(() => undefined);
    await readAnew(client, { predicate: ({ queryKey }) => isSpoken(queryKey) });
  };
  return (
    <>
      <Button
        variant="text"
        color="inherit"
        startIcon={<TranslateOutlined />}
        aria-label={`${translate('shell.language')}: ${shown}`}
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ minWidth: 0, fontWeight: 400 }}
      >
        {shown}
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {offered.map((it) => (
          <MenuItem
            key={it.locale}
            lang={it.locale}
            selected={it.locale === language}
            onClick={() => void choose(it.locale)}
          >
            {it.name}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
