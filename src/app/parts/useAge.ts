import { useTranslate } from 'ra-core';

const HOUR = 3_600_000;

/** How long ago, as people say it: `5 d 3 h`. */
export function useAge(): (since: number) => string {
  const span = useSpan();
  return (since) => span((Date.now() - since) / HOUR);
}

/** So many hours, as people say it. */
export function useSpan(): (hours: number) => string {
  const translate = useTranslate();
  return (span) => {
    const hours = Math.max(0, Math.floor(span));
    if (hours === 0) return translate('shell.home.queue.fresh');
    if (hours < 24) return translate('shell.home.queue.hours', { hours });
    const days = Math.floor(hours / 24);
    const isWhole = days >= 10 || hours % 24 === 0;
    return translate(`shell.home.queue.${isWhole ? 'long' : 'days'}`, { days, hours: hours % 24 });
  };
}
