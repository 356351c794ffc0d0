import { useEffect, useRef } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import GlobalStyles from '@mui/material/GlobalStyles';
import Portal from '@mui/material/Portal';
import { Barcode } from '#app/parts/Barcode.tsx';
import { monospace } from '#app/theme.ts';
import type { LabelPrintKind } from '#domain/enums.ts';
import {
  factsOf,
  type Label,
  type LabelKind,
  labelSizes,
  LINE_GAP,
  LINE_HEIGHT,
  PRINT_DELAY,
  QUIET,
} from '#domain/labelPrint.ts';

/** The labels of one print. */
export interface Labels {
  snList: readonly string[];
  modelCode: string;
  kind: LabelKind;
  printKind: LabelPrintKind;
}

interface Props {
  labels: Labels;
  /** The print dialog has closed. */
  onPrinted: () => void;
}

/**
 * Labels on their way to the printer, one a page of their own size; on the screen there is nothing of them.
 * Rule: labels#printing.
 */
export function SerialLabels({ labels, onPrinted }: Props) {
  const { snList, modelCode, kind, printKind } = labels;
  const { width, height } = labelSizes[kind];
  const printed = useRef(onPrinted);
  useEffect(() => {
    printed.current = onPrinted;
  });
  useEffect(() => {
    const timer = setTimeout(() => window.print(), PRINT_DELAY);
    const done = () => printed.current();
    window.addEventListener('afterprint', done);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('afterprint', done);
    };
  }, [labels]);
  return (
    <Portal>
      <GlobalStyles styles={printSx(width, height)} />
      <Box data-labels="" sx={{ display: 'none' }}>
        {snList.map((sn) => (
          <SerialLabel key={sn} {...{ sn, modelCode, kind, printKind }} />
        ))}
      </Box>
    </Portal>
  );
}

/** How the next label will look, larger than it is. Rule: labels#facts. */
export function LabelPreview({ label }: { label: Label }) {
  const translate = useTranslate();
  return (
    <Box component="figure" sx={{ m: 0 }}>
      <Box component="figcaption" sx={{ fontSize: 12, color: 'text.secondary', mb: 1 }}>
        {translate('serials.printer.preview')}
      </Box>
      <Box
        sx={{
          ...{ display: 'inline-block', zoom: 1.5, overflow: 'hidden' },
          ...{ border: 1, borderColor: 'divider', borderRadius: 1 },
        }}
      >
        <SerialLabel {...label} isPreview />
      </Box>
    </Box>
  );
}

/** One label as it is printed. Rule: labels#facts. */
function SerialLabel({ isPreview = false, ...label }: Label & { isPreview?: boolean }) {
  const { width, height, bars, fontSize, lines } = factsOf(label);
  return (
    <Box
      data-label={isPreview ? undefined : label.sn}
      style={{ width, height }}
      sx={{
        boxSizing: 'border-box',
        display: 'flex',
        flexDirection: 'column',
        justifyContent: 'center',
        gap: `${LINE_GAP}px`,
        bgcolor: '#fff',
        color: '#000',
        overflow: 'hidden',
        breakAfter: 'page',
        textAlign: 'center',
        fontFamily: monospace,
        fontSize,
        lineHeight: LINE_HEIGHT,
        whiteSpace: 'nowrap',
      }}
    >
      <Barcode text={label.sn} height={bars} margin={QUIET} />
      {lines.map((it, i) => (
        // An SN may read as its model.
        <div key={`${i} ${it}`}>{it}</div>
      ))}
    </Box>
  );
}

const printSx = (width: number, height: number) => ({
  '@page': { size: `${width}px ${height}px`, margin: 0 },
  '@media print': {
    'body > *:not([data-labels])': { display: 'none !important' },
    '[data-labels]': { display: 'block !important' },
  },
});
