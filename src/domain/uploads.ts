/** What may be uploaded and how large it may be; the same on both sides. Rule: uploads#sizes. */
const MIB = 1024 * 1024;

/** What is sent: a picture after its compression, any other file as it is. Shown to people as 5M. */
export const LARGEST_FILE = 5 * MIB;
/** A raw photo, before the browser makes it small: the configured 102400 KB. */
export const LARGEST_RAW = 102_400 * 1024;
/** A workbook of rows, the only thing that is larger than a paper. */
export const LARGEST_WORKBOOK = 20 * MIB;
/** Pictures are at most this wide. */
export const PICTURE_WIDTH = 800;
/** Papers that go up at once. */
export const MAX_PAPERS = 10;

/** A size as people read it; that of the largest file in the words that are given for it. Rule: uploads#sizes. */
export const sizeInWords = (bytes: number): string => (bytes === LARGEST_FILE ? '5M' : `${Math.floor(bytes / MIB)} MB`);

/** What a file is by its content. */
export type FileKind = 'picture' | 'text' | 'pdf' | 'oldWorkbook' | 'workbook';

/** How the files of a kind end, in small letters. */
export const endingsOf: Record<FileKind, readonly string[]> = {
  picture: ['jpg', 'jpeg', 'png'],
  text: ['txt'],
  pdf: ['pdf'],
  oldWorkbook: ['xls'],
  workbook: ['xlsx'],
};

/** Invoices, certificates and documents. Rule: uploads#papers. */
export const documentKinds: readonly FileKind[] = ['pdf', 'picture', 'oldWorkbook', 'workbook'];

/** What stands beside the work on a unit. Rule: wire#pictures. */
export const pictureKinds: readonly FileKind[] = ['picture', 'text'];

export const endingsOfAll = (kinds: readonly FileKind[]): string[] => kinds.flatMap((it) => endingsOf[it]);

/** The ending of a file's name, without its dot, in small letters; empty where there is none. */
export const endingOf = (name: string): string => /\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1]?.toLowerCase() ?? '';
