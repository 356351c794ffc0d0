import { useMemo } from 'react';
import { QueryClientProvider } from '@tanstack/react-query';
import { I18nContextProvider } from 'ra-core';
import { BrowserRouter } from 'react-router-dom';
import Box from '@mui/material/Box';
import CssBaseline from '@mui/material/CssBaseline';
import Link from '@mui/material/Link';
import { ThemeProvider } from '@mui/material/styles';
import { notShown, type Specimen, specimensIn } from '#app/gallery/specimens.tsx';
import { i18nProvider } from '#app/i18nProvider.ts';
import { darkTheme, lightTheme } from '#app/theme.ts';
import { createClient } from '#app/queryClient.ts';
import { parseLanguage, type Language } from '#domain/words.ts';

const themes = { light: lightTheme, dark: darkTheme };
type Mode = keyof typeof themes;

/** What the address asks for; without a language all four are shown side by side, each in a frame of its own. */
const query = new URLSearchParams(location.search);

/** Every part of the kit in each of its states, for who builds a page. Of `npm run dev` alone: `/parts`. */
export function PartsPage() {
  const mode: Mode = query.get('theme') === 'dark' ? 'dark' : 'light';
  return (
    <ThemeProvider theme={themes[mode]()}>
      <CssBaseline enableColorScheme />
      {query.has('lang') ? <Kit language={parseLanguage(query.get('lang') ?? '')} /> : <SideBySide />}
    </ThemeProvider>
  );
}

/** The words of the app are one language at a time, so each has a document of its own. */
function SideBySide() {
  const frames = (['zh', 'en'] as const).flatMap((lang) =>
    (['light', 'dark'] as const).map((theme) => `/parts?lang=${lang}&theme=${theme}`),
  );
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 2, p: 2, height: '200vh' }}>
      {frames.map((it) => (
        <Box key={it} sx={{ display: 'flex', flexDirection: 'column' }}>
          <Link href={it}>{it}</Link>
          <Box component="iframe" src={it} title={it} sx={{ flex: 1, border: 1, borderColor: 'divider' }} />
        </Box>
      ))}
    </Box>
  );
}

function Kit({ language }: { language: Language }) {
  const client = useMemo(() => createClient(), []);
  return (
    <BrowserRouter>
      <I18nContextProvider value={i18nProvider}>
        <QueryClientProvider client={client}>
          <Box component="main" sx={{ p: 4, display: 'flex', flexDirection: 'column', gap: 6 }}>
            {specimensIn(language).map((it) => (
              <Shown key={it.part} {...it} />
            ))}
            <Box component="dl" sx={{ m: 0, color: 'text.secondary', '& dd': { ml: 0, mb: 1 } }}>
              {Object.entries(notShown).map(([part, why]) => (
                <div key={part}>
                  <dt>{part}</dt>
                  <dd>{why}</dd>
                </div>
              ))}
            </Box>
          </Box>
        </QueryClientProvider>
      </I18nContextProvider>
    </BrowserRouter>
  );
}

const Shown = ({ part, about, states, isWide = false }: Specimen) => (
  <Box component="section" aria-label={part}>
    <Box component="h2" sx={{ m: 0, mb: 2, fontSize: 15, fontWeight: 600 }}>
      {part}{' '}
      <Box component="span" sx={{ fontWeight: 400, color: 'text.secondary' }}>
        {about}
      </Box>
    </Box>
    <Box
      sx={{
        display: 'grid',
        gap: 4,
        gridTemplateColumns: isWide ? 'minmax(0, 1fr)' : 'repeat(auto-fill, minmax(min(300px, 100%), 1fr))',
      }}
    >
      {Object.entries(states).map(([state, specimen]) => (
        <Box key={state} sx={{ minWidth: 0 }}>
          <Box sx={{ mb: 1, fontSize: 12, color: 'text.secondary' }}>{state}</Box>
          {specimen}
        </Box>
      ))}
    </Box>
  </Box>
);
