import useMediaQuery from '@mui/material/useMediaQuery';

/** No room for a drawer beside a list. */
export const useIsNarrow = () => useMediaQuery('(max-width: 1199px)', { noSsr: true });
