import { Fragment, useState } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useLanguage } from '#app/session.ts';
import { monospace } from '#app/theme.ts';
import { differencesOf } from './rules.differences.ts';
import type { Difference } from './rules.menu.ts';
import type { Names, Spoken } from './rules.naming.ts';
import { useWording, type ToldPart } from './useWording.ts';

/** What a change does to a module, part by part: what it was and what it becomes; or as it is kept. */
export function Changes({ part, names }: { part: ToldPart; names: Names }) {
  const translate = useTranslate();
  const say = (key: string) => translate(`studio.changes.${key}`);
  const [isJson, setJson] = useState(false);
  const { name, ...wording } = useWording(part, names);
  const { module, change, before } = part;
  const differences = differencesOf(before, change);
  return (
    <Box component="section" aria-label={name} sx={{ border: 1, borderColor: 'divider', borderRadius: 1, mb: 3 }}>
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 2,
          px: 3,
          minHeight: 40,
          borderBottom: 1,
          borderColor: 'divider',
        }}
      >
        <Box component="h3" sx={{ m: 0, fontSize: 14, fontWeight: 600 }}>
          {name}
        </Box>
        <Box component="code" sx={{ flex: 1, fontFamily: monospace, fontSize: 12, color: 'text.secondary' }}>
          {module}
        </Box>
        <Button variant="text" onClick={() => setJson(!isJson)}>
          {say(isJson ? 'asWords' : 'asJson')}
        </Button>
      </Box>
      {isJson ? (
        <Box
          component="pre"
          tabIndex={0}
          sx={{ m: 0, p: 3, maxHeight: 480, overflow: 'auto', fontFamily: monospace, fontSize: 12 }}
        >
          {JSON.stringify(change, null, 2)}
        </Box>
      ) : differences.length === 0 ? (
        <Box sx={{ p: 3, fontSize: 13, color: 'text.secondary' }}>{say('nothing')}</Box>
      ) : (
        <Box component="dl" sx={gridSx}>
          {differences.map((it) => (
            <DifferenceRow key={it.path} it={it} {...wording} />
          ))}
        </Box>
      )}
    </Box>
  );
}

interface RowProps extends Pick<ReturnType<typeof useWording>, 'comma' | 'sayPlace' | 'sayItems' | 'sayValue'> {
  it: Difference;
}

function DifferenceRow({ it, comma, sayPlace, sayItems, sayValue }: RowProps) {
  const spoken = useLanguage();
  const say = (value: unknown, lang: Spoken) => sayValue(it.path, value, lang);
  // What differs in the other language alone is said in both.
  const lang = say(it.from, spoken) === say(it.to, spoken) ? 'both' : spoken;
  const [were, are] = [sayItems(it.path, it.from), sayItems(it.path, it.to)];
  const out = were?.filter((one) => !are?.includes(one)) ?? [];
  const isOther = are?.some((one) => !were?.includes(one)) === true || out.length > 0;
  return (
    <>
      <Box component="dt" title={it.path} sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
        {sayPlace(it.path)}
      </Box>
      <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere' }}>
        {were && are && isOther ? (
          <Items were={were} are={are} out={out} mark={it.path === 'form' ? ' | ' : comma} />
        ) : (
          <>
            {it.from !== undefined && <Out text={say(it.from, lang)} />}
            <Box component="ins" sx={{ textDecoration: 'none', ...(it.from !== undefined && newSx) }}>
              {say(it.to, lang)}
            </Box>
          </>
        )}
      </Box>
    </>
  );
}

/** Several things of which some come in and some go out: the others stay as they are. */
function Items({ were, are, out, mark }: { were: string[]; are: string[]; out: string[]; mark: string }) {
  return (
    <>
      {are.map((one, i) => (
        <Fragment key={`${one} ${i}`}>
          {i > 0 && mark}
          {were.includes(one) ? (
            one
          ) : (
            <Box component="ins" sx={{ textDecoration: 'none', ...newSx }}>
              {one}
            </Box>
          )}
        </Fragment>
      ))}
      {out.length > 0 && are.length > 0 && mark}
      {out.length > 0 && <Out text={out.join(mark)} />}
    </>
  );
}

const Out = ({ text }: { text: string }) => (
  <Box component="del" sx={{ mr: 2, color: 'text.secondary' }}>
    {text}
  </Box>
);

const newSx = { fontWeight: 600 } as const;

const gridSx = {
  m: 0,
  p: 3,
  display: 'grid',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'minmax(160px, 1fr) minmax(0, 2fr)' },
  gap: { xs: 0, sm: '8px 16px' },
  '& > dd': { mb: { xs: 3, sm: 0 } },
  fontSize: 13,
} as const;
