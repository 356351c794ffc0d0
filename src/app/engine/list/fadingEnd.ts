/** What does not fit of a line of choices fades out, and is scrolled to. */
export const fadingEnd = {
  paddingRight: '16px',
  scrollPaddingInline: '16px',
  maskImage: 'linear-gradient(to left, transparent, #000 16px)',
} as const;
