import Box from '@mui/material/Box';
import { useTranslate } from 'ra-core';
import { Panel } from '#app/parts/Facts.tsx';
import type { SiteRule } from '#app/parts/scan/labels.ts';
import { codeSx } from '#app/theme.ts';
import { isSn, type Reading, readLabel } from '#domain/sn.ts';
import { visible } from './rules.ts';

/** What became of each label, the newest first: as the scanner sent it, by which rules, to which SN. */
export function TriedLabels({ texts, rules }: { texts: readonly string[]; rules: readonly SiteRule[] }) {
  const translate = useTranslate();
  return (
    <Panel title={translate('labels.try.results')}>
      <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {texts.map((text, i) => (
          <Box
            component="li"
            key={texts.length - i}
            sx={{ py: 3, borderTop: i === 0 ? 0 : 1, borderColor: 'divider', '&:first-of-type': { pt: 0 } }}
          >
            <Tried text={text} reading={readLabel(text, rules)} isNewest={i === 0} />
          </Box>
        ))}
      </Box>
    </Panel>
  );
}

function Tried({ text, reading, isNewest }: { text: string; reading: Reading<SiteRule>; isNewest: boolean }) {
  const translate = useTranslate();
  const { sn, by } = reading;
  const isFound = isSn(sn);
  const steps = by.map((it) => (typeof it === 'string' ? translate(`labels.by.${it}`) : it.name));
  const how = steps.length > 0 ? steps.join(' → ') : translate(isFound ? 'labels.by.plain' : 'labels.by.nothing');
  return (
    <Box component="dl" sx={{ m: 0, '& dt': { fontSize: 12, color: 'text.secondary' }, '& dd': { m: 0, mb: 2 } }}>
      <dt>{translate('labels.try.raw')}</dt>
      <Box component="dd" sx={{ ...codeSx, whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
        {visible(text)}
      </Box>
      <dt>{translate('labels.try.by')}</dt>
      <dd>{how}</dd>
      <dt>{translate('labels.try.sn')}</dt>
      <Box
        component="dd"
        role={isNewest ? 'status' : undefined}
        sx={{
          ...codeSx,
          whiteSpace: 'normal',
          mb: '0 !important',
          overflowWrap: 'anywhere',
          fontWeight: 600,
          fontSize: isNewest ? 22 : 16,
          color: isFound ? 'success.main' : 'error.main',
        }}
      >
        {isFound ? sn : translate('labels.try.noSn')}
      </Box>
    </Box>
  );
}
