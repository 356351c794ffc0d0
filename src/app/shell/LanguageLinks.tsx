import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import { i18nProvider } from '#app/i18nProvider.ts';
import { useLanguage } from '#app/session.ts';

/** The languages side by side, for a page that has nothing else at the top. */
export function LanguageLinks() {
  const translate = useTranslate();
  const language = useLanguage();
  const offered = i18nProvider.getLocales?.() ?? [];
  return (
    <Box role="group" aria-label={translate('shell.language')} sx={{ display: 'flex', gap: 1 }}>
      {offered.map((it) => (
        <ButtonBase
          key={it.locale}
          lang={it.locale}
          aria-pressed={it.locale === language}
          onClick={() => void i18nProvider.changeLocale(it.locale)}
          sx={{
            height: 32,
            px: 2,
            borderRadius: 1,
            fontSize: 13,
            color: it.locale === language ? 'primary.main' : 'text.secondary',
            fontWeight: it.locale === language ? 600 : 400,
            '&:hover': { bgcolor: 'action.hover' },
          }}
        >
          {it.name}
        </ButtonBase>
      ))}
    </Box>
  );
}
