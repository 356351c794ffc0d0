import type { HTMLAttributes } from 'react';
import Box from '@mui/material/Box';
import { codeSx } from '#app/theme.ts';

interface Props extends HTMLAttributes<HTMLLIElement> {
  code: string;
  words: string | null;
  /** Of the column of codes, in pixels. */
  codeWidth: number;
  /** What is read first; the other one stands back. */
  first?: 'code' | 'words';
}

/** An entry of a list to choose from: its code in a column of codes, and what that stands for. */
export const OptionRow = ({ code, words, codeWidth, first = 'code', ...props }: Props) => (
  <Box component="li" {...props} sx={{ gap: 3 }}>
    <Box
      component="span"
      sx={{ ...codeSx, minWidth: codeWidth, ...(first === 'words' && { color: 'text.secondary' }) }}
    >
      {code}
    </Box>
    {first === 'words' ? (
      words
    ) : (
      <Box component="span" sx={{ color: 'text.secondary', fontSize: 13 }}>
        {words}
      </Box>
    )}
  </Box>
);
