import { onTestFinished, vi } from 'vitest';

/** What links that download were followed: where they lead, and the name they ask for. No page goes anywhere. */
export function savedLinks(): { href: string; name: string }[] {
  const saved: { href: string; name: string }[] = [];
  const followed = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    if (this.hasAttribute('download')) saved.push({ href: this.href, name: this.download });
  });
  onTestFinished(() => followed.mockRestore());
  return saved;
}
