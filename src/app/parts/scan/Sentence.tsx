import { aroundSn } from '#app/parts/scan/words.ts';

/** One whole sentence in which the SN stands out. */
export function Sentence({ text, sn, className = 'sn' }: { text: string; sn: string; className?: string }) {
  const [before, after] = aroundSn(text, sn);
  const isApart = before === '' && !/^[\s,，:：]/.test(after);
  return (
    <>
      {before}
      {sn !== '' && <span className={className}>{sn}</span>}
      {isApart && sn !== '' && ' '}
      {after}
    </>
  );
}
