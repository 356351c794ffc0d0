import { useLayoutEffect, useRef } from 'react';
import Box from '@mui/material/Box';
import JsBarcode from 'jsbarcode';

interface Props {
  text: string;
  /** px of the page. */
  height: number;
  /** Of the thinnest line; left out, the code is as wide as its place. */
  line?: number;
  /** Light around it, in px; in a place of its own width beside it alone, in widths of its thinnest line. */
  margin?: number;
  /** GS1-128: begins with the function character that announces GS1 elements. */
  isGs1?: boolean | undefined;
}

/** A code as CODE128, in lines that every printer draws sharp. */
export function Barcode({ text, height, line, margin = 0, isGs1 = false }: Props) {
  const drawing = useRef<SVGSVGElement>(null);
  useLayoutEffect(() => {
    const edge = line === undefined ? 0 : margin;
    const margins = { margin: edge, marginLeft: margin, marginRight: margin };
    const drawn = { format: 'CODE128', height, width: line ?? 1, ...margins, displayValue: false, ean128: isGs1 };
    JsBarcode(drawing.current, text, drawn);
    if (line === undefined && drawing.current) {
      drawing.current.setAttribute('width', '100%');
      drawing.current.setAttribute('height', `${height}px`);
      drawing.current.setAttribute('preserveAspectRatio', 'none');
    }
  }, [text, height, line, margin, isGs1]);
  return (
    <Box
      component="svg"
      ref={drawing}
      data-barcode={text}
      aria-hidden
      sx={{ display: 'block', maxWidth: 1, mx: 'auto' }}
    />
  );
}
