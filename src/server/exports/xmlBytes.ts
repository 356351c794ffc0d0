/** Before it is full a chunk is taken; what is written at once fits beside it or makes it larger. */
const ROOM = 16 * 1024;

/**
 * A text that becomes bytes as it is written. Most of a sheet are short pieces of plain ASCII: writing their
 * letters takes little more than half of the time that joining them to one string and encoding that does.
 */
export class XmlBytes {
  readonly #largest: number;
  #size: number;
  #bytes = EMPTY;
  #length = 0;

  /** Of so many bytes the first chunk is meant to be, and each further one twice as large, up to the largest. */
  constructor(first: number, largest: number) {
    this.#size = first;
    this.#largest = largest;
  }

  /** Whether it holds as much as a chunk should. */
  get isFull(): boolean {
    return this.#length >= this.#size;
  }

  /** Writes a piece of which it is known that it is ASCII, and XML already. */
  ascii(text: string): void {
    if (this.#length + text.length > this.#bytes.length) this.#grow(text.length);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let i = 0; i < text.length; i++) bytes[at++] = text.charCodeAt(i);
    this.#length = at;
  }

  /** Writes any piece of XML. */
  xml(text: string): void {
    const most = text.length * 3;
    if (this.#length + most > this.#bytes.length) this.#grow(most);
    this.#length += this.#bytes.write(text, this.#length);
  }

  /**
   * Writes a text between two pieces of ASCII, if a workbook needs nothing of it to be escaped, as of nearly all; of another
   * one nothing, and says so.
   */
  plain(before: string, text: string, after: string): boolean {
    const most = before.length + text.length * 3 + after.length;
    if (this.#length + most > this.#bytes.length) this.#grow(most);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let i = 0; i < before.length; i++) bytes[at++] = before.charCodeAt(i);
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code <= TILDE) {
        if (code < SPACE || code === AMPERSAND || code === LESS || code === GREATER) return false;
        if (code === UNDERSCORE && text.charCodeAt(i + 1) === SMALL_X) return false;
        bytes[at++] = code;
      } else if (code >= CJK && code <= CJK_END) {
        // UTF-8 of three bytes.
        bytes[at++] = 0xe0 | (code >> 12);
        bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
        bytes[at++] = 0x80 | (code & 0x3f);
      } else return false;
    }
    for (let i = 0; i < after.length; i++) bytes[at++] = after.charCodeAt(i);
    this.#length = at;
    return true;
  }

  /** All that was written since it was taken last. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#size = Math.min(this.#size * 2, this.#largest);
    // Made when the next piece comes: behind the last chunk there is none.
    this.#bytes = EMPTY;
    this.#length = 0;
    return taken;
  }

  #grow(by: number): void {
    const bytes = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#size + ROOM, this.#length + by));
    this.#bytes.copy(bytes, 0, 0, this.#length);
    this.#bytes = bytes;
  }
}

const EMPTY = Buffer.alloc(0);
const [SPACE, AMPERSAND, LESS, GREATER, UNDERSCORE, SMALL_X, TILDE] = [0x20, 0x26, 0x3c, 0x3e, 0x5f, 0x78, 0x7e];
/** The signs of Chinese, with their punctuation before them. */
const [CJK, CJK_END] = [0x3000, 0x9fff];
