import type { ReactNode } from 'react';
import Box from '@mui/material/Box';
import { useProblemSentence } from './useProblemSentence.ts';

type Told = Parameters<ReturnType<typeof useProblemSentence>>[0] & { module: string; path: string };

/** What is wrong, or to be made sure of: each in a sentence, under the place where it is. */
export function ProblemList<T extends Told>({
  problems,
  placeOf,
  actionOf,
}: {
  problems: readonly T[];
  placeOf: (it: T) => ReactNode;
  /** What can be done about it right here. */
  actionOf?: (it: T) => ReactNode;
}) {
  const sentenceOf = useProblemSentence();
  return (
    <Box component="ul" sx={listSx}>
      {problems.map((it) => (
        <li key={`${it.module} ${it.path} ${it.kind} ${it.rule} ${it.name}`}>
          <Box component="b" title={`${it.module}.${it.path}`} sx={{ display: 'block', fontWeight: 600 }}>
            {placeOf(it)}
          </Box>
          {sentenceOf(it)}
          {actionOf?.(it)}
        </li>
      ))}
    </Box>
  );
}

// Its marks stand within the notice, which cuts off what hangs over its edge.
const listSx = { m: 0, mt: 1, pl: 5, display: 'flex', flexDirection: 'column', gap: 1 } as const;
