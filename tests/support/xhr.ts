interface Progress {
  lengthComputable: boolean;
  loaded: number;
  total: number;
}

/**
 * XMLHttpRequest by whatever stands for `fetch` in a test: a test tells its answers in one place, also for uploads, which
 * need the older one for their progress.
 */
export class XhrByFetch {
  readonly upload: { onprogress: ((event: Progress) => void) | null } = { onprogress: null };
  onload: (() => void) | null = null;
  onerror: (() => void) | null = null;
  onabort: (() => void) | null = null;
  status = 0;
  responseText = '';
  #method = 'GET';
  #url = '';
  readonly #headers = new Headers();
  readonly #abort = new AbortController();

  open(method: string, url: string): void {
    this.#method = method;
    this.#url = url;
  }
  setRequestHeader(name: string, value: string): void {
    this.#headers.set(name, value);
  }
  abort(): void {
    this.#abort.abort();
    this.onabort?.();
  }
  send(body: FormData): void {
    void this.#sent(body);
  }
  async #sent(body: FormData): Promise<void> {
    try {
      const { signal } = this.#abort;
      this.upload.onprogress?.({ lengthComputable: true, loaded: 1, total: 2 });
      const answer = await fetch(this.#url, { method: this.#method, headers: this.#headers, body, signal });
      const text = await answer.text();
      if (signal.aborted) return;
      this.status = answer.status;
      this.responseText = text;
      this.onload?.();
    } catch {
      if (!this.#abort.signal.aborted) this.onerror?.();
    }
  }
}
