import Box from '@mui/material/Box';
import { useTranslate } from 'ra-core';
import { CardBarcode, cardBoxSx, PrintedCard } from '#app/parts/scan/PrintedCard.tsx';
import { codeSx, cutSx } from '#app/theme.ts';
import { families, samples } from './rules.scanners.ts';

/** What a scanner is to be set to, as its maker documents it, and barcodes to see whether it is. */
export default function ScannerCardDialog({ onClose }: { onClose: () => void }) {
  const translate = useTranslate();
  const say = (name: string) => translate(`labels.card.${name}`);
  return (
    <PrintedCard title={say('title')} onClose={onClose}>
      <Heading>{say('wanted')}</Heading>
      <Box component="ul" sx={{ m: 0, pl: 5, '& li': { mb: 1 } }}>
        {(['keyboard', 'end', 'identifier', 'separator'] as const).map((it) => (
          <li key={it}>{say(it)}</li>
        ))}
      </Box>
      <Heading>{say('families')}</Heading>
      <Box sx={{ mb: 3 }}>{say('noCodes')}</Box>
      <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 340px), 1fr))' }}>
        {families.map(({ id, name, sources }) => (
          <Box key={id} component="section" aria-label={name} sx={{ ...cardBoxSx, p: 3 }}>
            <Box component="h3" sx={{ m: 0, mb: 2, fontSize: 14, fontWeight: 600 }}>
              {name}
            </Box>
            <Box
              component="dl"
              sx={{ m: 0, '& dt': { fontSize: 12, color: 'text.secondary' }, '& dd': { m: 0, mb: 2 } }}
            >
              <dt>{say('toEnd')}</dt>
              <dd>{say(`${id}.end`)}</dd>
              <dt>{say('toIdentify')}</dt>
              <dd>{say(`${id}.identifier`)}</dd>
              <dt>{say('source')}</dt>
              <dd>{sources.join('; ')}</dd>
            </Box>
          </Box>
        ))}
      </Box>
      <Heading>{say('samples')}</Heading>
      <Box sx={{ mb: 3 }}>{say('samplesHint')}</Box>
      <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 300px), 1fr))' }}>
        {samples.map(({ id, text, isGs1, shown }) => (
          <CardBarcode
            key={id}
            text={text}
            line={1.2}
            isGs1={isGs1}
            sx={{ minWidth: 0, gridColumn: text.length > LONG ? '1 / -1' : undefined }}
          >
            <Box sx={{ fontWeight: 600 }}>{say(`sample.${id}`)}</Box>
            <Box sx={{ ...codeSx, ...cutSx, fontSize: 12 }}>{shown ?? text}</Box>
          </CardBarcode>
        ))}
      </Box>
    </PrintedCard>
  );
}

/** A barcode of more letters needs the whole width for lines that can be read. */
const LONG = 30;

const Heading = ({ children }: { children: string }) => (
  <Box component="h2" sx={{ fontSize: 14, fontWeight: 600, mt: 5, mb: 2, '&:first-of-type': { mt: 0 } }}>
    {children}
  </Box>
);
