import sharp from 'sharp';

/** What a paper says; it is drawn when everything it tells of is known. */
export interface Paper {
  /** Of the file that it becomes. */
  id: string;
  siteId: string;
  by: string;
  title: 'INVOICE' | 'FREIGHT STATEMENT';
  no: string;
  day: string;
  from: string;
  to: string;
  lines: [what: string, quantity: number | null, amount: string][];
  total: string;
  currency: string;
}

const [WIDTH, HEIGHT] = [800, 1100];
const FONT = 'DejaVu Sans, Arial, sans-serif';

const said = (text: string) => text.replace(/[<&]/g, (it) => `&#${it.charCodeAt(0)};`);

const word = (x: number, y: number, text: string, size = 20, more = '') =>
  `<text x="${x}" y="${y}" font-family="${FONT}" font-size="${size}" fill="#111" ${more}>${said(text)}</text>`;
const right = (x: number, y: number, text: string, size = 20) => word(x, y, text, size, 'text-anchor="end"');

function drawing({ title, no, day, from, to, lines, total, currency }: Paper): string {
  const row = (i: number) => 470 + i * 48;
  const end = row(lines.length);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">
    <rect width="${WIDTH}" height="${HEIGHT}" fill="#fdfdfb"/><rect x="40" y="40" width="720" height="8" fill="#1e3a8a"/>
    ${word(60, 120, title, 40, 'font-weight="700"')}
    ${word(60, 176, `No. ${no}`)}${right(740, 176, day)}
    ${word(60, 250, 'From', 16)}${word(160, 250, from)}${word(60, 290, 'To', 16)}${word(160, 290, to)}
    <rect x="40" y="350" width="720" height="52" fill="#e5e7eb"/>
    ${word(60, 383, 'Description', 18)}${right(560, 383, 'Quantity', 18)}${right(740, 383, `Amount (${currency})`, 18)}
    ${lines
      .map(([what, quantity, amount], i) => {
        const y = row(i) - 20;
        return `${word(60, y, what)}${right(560, y, String(quantity ?? ''))}${right(740, y, amount)}
          <path d="M40 ${y + 16} H760" stroke="#d1d5db"/>`;
      })
      .join('')}
    ${word(60, end + 20, 'Total', 24, 'font-weight="700"')}${right(740, end + 20, `${total} ${currency}`, 24)}
    <g transform="rotate(-12 600 ${end + 170})" fill="none" stroke="#b91c1c" stroke-width="4" opacity=".75">
      <circle cx="600" cy="${end + 170}" r="82"/><circle cx="600" cy="${end + 170}" r="70" stroke-width="2"/></g>
    ${word(600, end + 178, 'DEMO', 30, 'fill-opacity=".6" text-anchor="middle" transform="rotate(-12 600 ' + (end + 170) + ')"')}
  </svg>`;
}

/** As a scan of it would come: a picture of a page. */
export const drawPaper = (paper: Paper): Promise<Buffer> =>
  sharp(Buffer.from(drawing(paper)))
    .jpeg({ quality: 80 })
    .toBuffer();
