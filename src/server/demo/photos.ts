import sharp from 'sharp';

type Drawing = (seed: number) => string;

const chips = (fill: (i: number) => string) =>
  Array.from({ length: 63 }, (_, i) => {
    const [x, y] = [84 + (i % 21) * 31, 168 + Math.floor(i / 21) * 96];
    return `<rect x="${x}" y="${y}" width="22" height="22" rx="2" fill="${fill(i)}" stroke="#4b5563"/>
      <rect x="${x + 3}" y="${y + 32}" width="16" height="6" fill="#b45309"/><circle cx="${x + 11}" cy="${y - 12}" r="3" fill="#9ca3af"/>`;
  }).join('');

const board = (over: string, fill: (i: number) => string = () => '#1f2937') => `
  <rect width="800" height="600" fill="#d6d3d1"/><rect x="44" y="84" width="712" height="420" rx="10" fill="#14532d"/>
  <rect x="44" y="84" width="712" height="420" rx="10" fill="none" stroke="#052e16" stroke-width="6"/>
  ${[60, 740].map((x) => [100, 488].map((y) => `<circle cx="${x}" cy="${y}" r="8" fill="#d6d3d1"/>`).join('')).join('')}
  <rect x="330" y="464" width="150" height="30" rx="3" fill="#f5f5f4"/>${chips(fill)}
  <path d="M60 250 H740 M60 346 H740 M60 440 H740" stroke="#166534" stroke-width="5"/>${over}`;

const label = (text: string) =>
  `<rect x="20" y="544" width="420" height="38" rx="4" fill="#000" opacity=".65"/>
   <text x="34" y="570" font-family="DejaVu Sans, Arial, sans-serif" font-size="20" fill="#fff">${text}</text>`;

const bars = (x: number, y: number, seed: number) => {
  let at = x;
  return Array.from({ length: 44 }, (_, i) => {
    const width = 2 + ((i * i * 31 + seed * i) % 7);
    const bar = i % 2 ? '' : `<rect x="${at}" y="${y}" width="${width}" height="90" fill="#111"/>`;
    at += width + 1;
    return bar;
  }).join('');
};

/** What a technician's pictures show, as drawings: nobody's real machine. */
const drawings: [name: string, draw: Drawing][] = [
  [
    'burnt-chip.jpg',
    () =>
      board(
        `<radialGradient id="b"><stop offset="0" stop-color="#000"/><stop offset=".5" stop-color="#1c1005" stop-opacity=".9"/>
        <stop offset="1" stop-color="#451a03" stop-opacity="0"/></radialGradient><circle cx="436" cy="276" r="74" fill="url(#b)"/>
        <circle cx="436" cy="276" r="88" fill="none" stroke="#ef4444" stroke-width="5"/>${label('U32: chip burnt')}`,
      ),
  ],
  [
    'missing-chip.jpg',
    () =>
      board(
        `<circle cx="591" cy="371" r="40" fill="none" stroke="#ef4444" stroke-width="5"/>${label('U59: no answer')}`,
        (i) => (i === 58 ? '#d4a373' : '#1f2937'),
      ),
  ],
  [
    'connector.jpg',
    () =>
      board(
        `<rect x="250" y="56" width="300" height="76" rx="6" fill="#f5f5f4" stroke="#78716c" stroke-width="3"/>
        ${Array.from({ length: 18 }, (_, i) => `<rect x="${268 + (i % 9) * 30}" y="${72 + Math.floor(i / 9) * 28}" width="14" height="14" fill="${i === 4 ? '#7c2d12' : '#ca8a04'}"/>`).join('')}
        <circle cx="395" cy="80" r="30" fill="none" stroke="#ef4444" stroke-width="5"/>${label('J1: pin 5 oxidised')}`,
      ),
  ],
  [
    'corrosion.jpg',
    () =>
      board(
        `<g opacity=".75">${Array.from({ length: 26 }, (_, i) => `<circle cx="${110 + ((i * 151) % 330)}" cy="${330 + ((i * i * 29 + i * 41) % 150)}" r="${8 + ((i * 7) % 22)}" fill="${i % 3 ? '#65a30d' : '#e7e5e4'}"/>`).join('')}</g>
        ${label('Water, corrosion')}`,
      ),
  ],
  [
    'nameplate.jpg',
    (
      seed,
    ) => `<rect width="800" height="600" fill="#57534e"/><rect x="120" y="130" width="560" height="340" rx="12" fill="#fafaf9"/>
      <text x="156" y="196" font-family="DejaVu Sans, Arial, sans-serif" font-size="40" font-weight="700" fill="#111">RX-19 Pro</text>
      <text x="156" y="240" font-family="DejaVu Sans, Arial, sans-serif" font-size="22" fill="#444">200-240 V~ 50/60 Hz 16 A</text>
      ${bars(156, 280, seed)}<text x="156" y="412" font-family="DejaVu Sans Mono, monospace" font-size="24" fill="#111">SN on the unit</text>
      <rect x="560" y="290" width="80" height="80" fill="none" stroke="#111" stroke-width="8"/><rect x="584" y="314" width="32" height="32" fill="#111"/>`,
  ],
  [
    'device-front.jpg',
    () => `<rect width="800" height="600" fill="#e7e5e4"/><rect x="90" y="120" width="620" height="390" rx="14" fill="#3f3f46"/>
      ${[250, 550].map((x) => `<circle cx="${x}" cy="315" r="128" fill="#18181b" stroke="#a1a1aa" stroke-width="6"/>${Array.from({ length: 7 }, (_, i) => `<ellipse cx="${x}" cy="315" rx="22" ry="112" fill="#52525b" transform="rotate(${i * 51.4} ${x} 315) translate(0 -46)"/>`).join('')}<circle cx="${x}" cy="315" r="30" fill="#71717a"/>`).join('')}
      <path d="M620 130 L700 190 L690 240 L640 190 Z" fill="#a1a1aa"/><circle cx="665" cy="185" r="62" fill="none" stroke="#ef4444" stroke-width="5"/>${label('Case bent at the corner')}`,
  ],
  [
    'packing.jpg',
    () => `<rect width="800" height="600" fill="#d4d4d8"/><path d="M120 200 L400 120 L690 200 L690 480 L400 560 L120 480 Z" fill="#b08968"/>
      <path d="M120 200 L400 280 L690 200 M400 280 V560" stroke="#7f5539" stroke-width="5" fill="none"/>
      <path d="M520 250 L600 300 L560 340 L630 400 L540 390 L500 440 L510 360 L450 330 Z" fill="#3f2a1d"/>
      <circle cx="540" cy="345" r="110" fill="none" stroke="#ef4444" stroke-width="5"/>${label('Packing damaged')}`,
  ],
  [
    'aging-rack.jpg',
    () => `<rect width="800" height="600" fill="#1e293b"/>
      ${Array.from({ length: 12 }, (_, i) => `<g transform="translate(${60 + (i % 4) * 175} ${70 + Math.floor(i / 4) * 160})"><rect width="150" height="120" rx="8" fill="#475569"/><circle cx="50" cy="62" r="36" fill="#0f172a"/><circle cx="110" cy="62" r="26" fill="#0f172a"/><circle cx="136" cy="14" r="6" fill="${i === 6 ? '#ef4444' : '#22c55e'}"/></g>`).join('')}
      ${label('Aging rack, 104.2 TH/s')}`,
  ],
];

interface Photo {
  name: string;
  bytes: Buffer;
}

/** The pictures of the demo, 800 wide, drawn at the first start. */
export const drawPhotos = (): Promise<Photo[]> =>
  Promise.all(
    drawings.map(async ([name, draw], i) => ({
      name,
      bytes: await sharp(
        Buffer.from(
          `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600" viewBox="0 0 800 600">${draw(i + 11)}</svg>`,
        ),
      )
        .jpeg({ quality: 80 })
        .toBuffer(),
    })),
  );
