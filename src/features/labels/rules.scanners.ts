/** A family of scanners, by its maker; what is to be set stands in the words under its id, where from stands here. */
interface Family {
  id: string;
  name: string;
  /** The manuals that document it, by title and page. */
  sources: readonly string[];
}

/**
 * Only what a maker's manual documents. The setup barcodes themselves are left to the manuals: they hold function
 * characters and sequences of the maker's own, and a wrong one would leave a scanner worse than it was.
 */
export const families: readonly Family[] = [
  {
    id: 'zebra',
    name: 'Zebra (Symbol, Motorola)',
    sources: [
      'LS4278 Product Reference Guide, p. 5-13',
      'DS8178 Digital Scanner Product Reference Guide, p. 5-38',
      'LI2208 Product Reference Guide, p. 7-24',
      'DS4678 Product Reference Guide, Transmit Code ID Character',
    ],
  },
  {
    id: 'honeywell',
    name: 'Honeywell (Xenon, Voyager)',
    sources: ["Xenon 1900/1902 Area Imaging Scanner User's Guide, p. 5-1", "Xenon 1910 User's Guide, chapter 6"],
  },
  {
    id: 'datalogic',
    name: 'Datalogic (QuickScan, Gryphon)',
    sources: ['QuickScan I QD2400 Product Reference Guide, Global Prefix/Suffix', 'the same, p. 57: Global AIM ID'],
  },
  {
    id: 'newland',
    name: 'Newland',
    sources: ['BS8060 Piranha User Manual, p. 179: data formatting'],
  },
];

interface Sample {
  id: string;
  /** What the CODE128 holds. */
  text: string;
  isGs1?: boolean;
  /** What a person reads of it, where that is not the text itself. */
  shown?: string;
}

/** Barcodes of our own, to see on the page for labels what a scanner makes of them. */
export const samples: readonly Sample[] = [
  { id: 'plain', text: 'TEST-0123456789_Z' },
  { id: 'signs', text: 'aZyY:/?=&()[]{}#%' },
  {
    id: 'gs1',
    text: '010952123454321321TEST0001',
    isGs1: true,
    shown: '(01)09521234543213(21)TEST0001',
  },
  { id: 'link', text: 'https://id.gs1.org/01/09521234543213/21/TEST1' },
];
