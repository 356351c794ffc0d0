import { createTheme, type Theme, type ThemeOptions } from '@mui/material/styles';

declare module '@mui/material/styles' {
  interface Palette {
    /** The boundary of what is typed into, switched or dropped on: as told apart as an icon must be. */
    outline: string;
  }
  interface PaletteOptions {
    outline: string;
  }
}

/** Heights of a table's rows, by the density that the user chose. */
export const densities = { compact: 30, normal: 36, comfortable: 44 } as const;
export type Density = keyof typeof densities;

/** System fonts first, Chinese included; nothing is downloaded. */
const fontFamily =
  'Inter, "Segoe UI", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans SC", sans-serif';
/** A clear 0/O and 1/I for SNs, codes and order numbers. */
export const monospace =
  '"JetBrains Mono", "Cascadia Mono", Consolas, Menlo, "DejaVu Sans Mono", "Noto Sans Mono CJK SC", monospace';

/** A code is never broken over two lines. */
export const codeSx = {
  fontFamily: monospace,
  fontSize: 'max(11px, 0.95em)',
  whiteSpace: 'nowrap',
  letterSpacing: 0,
} as const;
/** A Chinese mark at the end of a line goes to the next one where it has no room, and never hangs over the edge. */
export const wholeSx = { textSpacingTrim: 'space-all' } as const;
/** One line; where it is longer than its place, it ends in dots. */
export const cutSx = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;
/** A button in a line of labelled fields, level with what they hold. */
export const besideLabelSx = { mt: '22px' } as const;
/** Over a dialog on a phone: the two bars, where the notices stand. */
export const NOTICE_ROOM = 72;
const onPhone = '@media (max-width: 767px)';
/** Numbers stand under each other. */
export const tabularSx = { fontVariantNumeric: 'tabular-nums' } as const;

const palettes = {
  light: {
    mode: 'light',
    primary: { main: '#0f766e', dark: '#115e59', light: '#14938a', contrastText: '#ffffff' },
    secondary: { main: '#475569' },
    success: { main: '#15803d' },
    warning: { main: '#b45309' },
    error: { main: '#b91c1c' },
    info: { main: '#1d4ed8' },
    background: { default: '#f6f7f8', paper: '#ffffff' },
    text: { primary: '#1a2129', secondary: '#55606c', disabled: '#858f9b' },
    divider: '#dfe3e8',
    outline: '#858f9b',
    action: { hover: 'rgba(15, 23, 32, 0.045)', selected: 'rgba(15, 118, 110, 0.08)' },
  },
  dark: {
    mode: 'dark',
    primary: { main: '#2dbdae', dark: '#1f9a8e', light: '#5dd6c9', contrastText: '#06201d' },
    secondary: { main: '#94a3b8' },
    success: { main: '#4ade80' },
    warning: { main: '#fbbf24' },
    error: { main: '#f87171' },
    info: { main: '#7aa7ff' },
    background: { default: '#12161b', paper: '#191e25' },
    text: { primary: '#e4e8ed', secondary: '#a2acb8', disabled: '#6b7682' },
    divider: '#2c343e',
    outline: '#64707c',
    action: { hover: 'rgba(255, 255, 255, 0.05)', selected: 'rgba(45, 189, 174, 0.16)' },
  },
} as const satisfies Record<string, ThemeOptions['palette']>;

const isCalm = typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Long enough to show where something went; whoever asked the system for less motion sees none. */
export const MOTION_MS = isCalm ? 0 : 120;

/** Keyboard users see where they are, on every surface. */
const focusRing: object = {
  '&.Mui-focusVisible': { outline: '2px solid #14938a', outlineOffset: 1 },
};

const themeOf = (mode: keyof typeof palettes): Theme =>
  createTheme({
    palette: palettes[mode],
    spacing: 4,
    shape: { borderRadius: 6 },
    shadows: shadowsOf(mode),
    typography: {
      fontFamily,
      fontSize: 14,
      htmlFontSize: 16,
      fontWeightRegular: 400,
      fontWeightMedium: 600,
      fontWeightBold: 600,
      h1: { fontSize: 18, fontWeight: 600, lineHeight: '28px' },
      h2: { fontSize: 15, fontWeight: 600, lineHeight: '22px' },
      h6: { fontSize: 16, fontWeight: 600, lineHeight: '24px' },
      body1: { fontSize: 14, lineHeight: '22px' },
      body2: { fontSize: 13, lineHeight: '20px' },
      caption: { fontSize: 12, lineHeight: '16px' },
      button: { textTransform: 'none', fontWeight: 600, fontSize: 13 },
    },
    transitions: {
      duration: {
        shortest: MOTION_MS,
        shorter: MOTION_MS,
        short: MOTION_MS,
        standard: MOTION_MS,
        complex: MOTION_MS,
        enteringScreen: MOTION_MS,
        leavingScreen: MOTION_MS,
      },
    },
    components: {
      MuiCssBaseline: {
        styleOverrides: {
          html: { WebkitFontSmoothing: 'antialiased' },
          body: { overflowX: 'hidden' },
          '@media (prefers-reduced-motion: reduce)': {
            '*, *::before, *::after': {
              animationDuration: '0.01ms !important',
              transitionDuration: '0.01ms !important',
              scrollBehavior: 'auto !important',
            },
          },
        },
      },
      MuiButtonBase: {
        defaultProps: { disableRipple: true },
        styleOverrides: { root: { fontFamily: 'inherit', ...focusRing } },
      },
      // Its own grey is that of icons, too pale for words.
      MuiToggleButton: {
        styleOverrides: {
          root: ({ theme }) => ({ '&:not(.Mui-selected, .Mui-disabled)': { color: theme.palette.text.secondary } }),
        },
      },
      MuiButton: {
        defaultProps: { disableElevation: true, size: 'small' },
        styleOverrides: {
          sizeSmall: { height: 32, padding: '0 12px' },
          sizeMedium: { height: 40, padding: '0 16px', fontSize: 14 },
          outlined: ({ theme }) => ({ borderColor: theme.palette.divider, color: theme.palette.text.primary }),
          outlinedError: ({ theme }) => ({ color: theme.palette.error.main }),
        },
      },
      MuiPaper: { styleOverrides: { root: { backgroundImage: 'none' } } },
      MuiDialog: {
        defaultProps: { fullWidth: true },
        // A form around content and buttons passes on the room there is: the content scrolls, the buttons stay.
        styleOverrides: {
          // On a phone a sheet at the lower edge, as high as what it holds; the notices above never cover it.
          container: { outline: 0, [onPhone]: { paddingTop: NOTICE_ROOM, alignItems: 'flex-end' } },
          paper: {
            outline: 0,
            '& > form': { display: 'flex', flexDirection: 'column', minHeight: 0 },
            [onPhone]: {
              margin: 0,
              width: '100%',
              maxWidth: '100%',
              maxHeight: '100%',
              borderBottomLeftRadius: 0,
              borderBottomRightRadius: 0,
            },
          },
        },
      },
      MuiDialogTitle: { styleOverrides: { root: { fontSize: 16, fontWeight: 600, padding: '16px 20px 8px' } } },
      // Right below a title it keeps its room too: the label of a first field stands over the field's edge.
      MuiDialogContent: {
        styleOverrides: { root: { padding: '8px 20px', '.MuiDialogTitle-root + &': { paddingTop: 8 } } },
      },
      MuiDialogActions: { styleOverrides: { root: { padding: '12px 20px 16px', gap: 4 } } },
      MuiTextField: { defaultProps: { size: 'small', variant: 'outlined' } },
      MuiFormControl: { defaultProps: { size: 'small', variant: 'outlined' } },
      // Its own shade of what is typed is too pale to be read.
      MuiInputBase: {
        styleOverrides: {
          input: ({ theme }) => ({ '&::placeholder': { color: theme.palette.text.secondary, opacity: 1 } }),
        },
      },
      MuiOutlinedInput: {
        styleOverrides: {
          root: ({ theme }) => ({
            fontSize: 14,
            backgroundColor: theme.palette.background.paper,
            '& .MuiOutlinedInput-notchedOutline': {
              top: 0,
              '& legend': { display: 'none' },
              borderColor: theme.palette.outline,
            },
          }),
          inputSizeSmall: { paddingTop: 0, paddingBottom: 0, height: 38 },
        },
      },
      // A select sets its own height by its text; beside inputs it has theirs.
      MuiSelect: {
        styleOverrides: {
          select: {
            '&.MuiInputBase-inputSizeSmall': { height: 38, minHeight: 38, display: 'flex', alignItems: 'center' },
          },
        },
      },
      // As high as the inputs beside it.
      MuiAutocomplete: {
        styleOverrides: {
          inputRoot: {
            '&.MuiInputBase-sizeSmall': { paddingTop: 0, paddingBottom: 0 },
            '&.MuiInputBase-sizeSmall .MuiAutocomplete-input': { paddingTop: 0, paddingBottom: 0 },
          },
        },
      },
      // Above its field, where it is read before the value and never moves. Rule: lists#forms.
      MuiInputLabel: {
        defaultProps: { shrink: true },
        styleOverrides: {
          outlined: ({ theme }) => ({
            position: 'static',
            transform: 'none',
            marginBottom: 4,
            fontSize: 13,
            lineHeight: '18px',
            fontWeight: 600,
            '&, &.Mui-focused, &.Mui-error': { color: theme.palette.text.primary },
          }),
        },
      },
      MuiFormLabel: { styleOverrides: { asterisk: ({ theme }) => ({ color: theme.palette.error.main }) } },
      MuiFormHelperText: {
        styleOverrides: {
          // Why a field can't be changed is to be read, too.
          root: ({ theme }) => ({
            ...{ marginLeft: 0, marginRight: 0 },
            '&.Mui-disabled': { color: theme.palette.text.secondary },
          }),
        },
      },
      // Otherwise it takes the longer the higher it is.
      MuiPopover: { defaultProps: { transitionDuration: MOTION_MS } },
      MuiMenu: { defaultProps: { transitionDuration: MOTION_MS } },
      MuiMenuItem: { styleOverrides: { root: { fontSize: 13, minHeight: 32 } } },
      MuiTooltip: {
        defaultProps: { enterDelay: 400, enterNextDelay: 200 },
        styleOverrides: { tooltip: { fontSize: 12 } },
      },
      MuiTableCell: {
        styleOverrides: {
          root: ({ theme }) => ({ fontSize: 13, padding: '0 12px', borderColor: theme.palette.divider }),
          head: ({ theme }) => ({ fontWeight: 600, fontSize: 12, color: theme.palette.text.secondary, height: 36 }),
        },
      },
      // Its own track is a shade of the bar, which in the dark looks full.
      MuiLinearProgress: { styleOverrides: { root: ({ theme }) => ({ backgroundColor: theme.palette.divider }) } },
      MuiChip: { styleOverrides: { sizeSmall: { height: 24, fontSize: 12, borderRadius: 4 } } },
      MuiAlert: { styleOverrides: { root: { fontSize: 13 } } },
      // A white thumb on a pale track is seen by its outline.
      MuiSwitch: {
        styleOverrides: {
          thumb: ({ theme }) => ({ border: `1px solid ${theme.palette.outline}`, boxShadow: 'none' }),
          track: ({ theme }) => ({
            '.MuiSwitch-switchBase:not(.Mui-checked, .Mui-disabled) + &': {
              backgroundColor: theme.palette.outline,
              opacity: 1,
            },
          }),
        },
      },
      MuiSkeleton: { defaultProps: { animation: false } },
    },
  });

/** Made when it is first shown; most people see one of the two. */
export const lightTheme = lazily(() => themeOf('light'));
export const darkTheme = lazily(() => themeOf('dark'));

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** Borders rather than shadows: one elevation, for what floats. */
function shadowsOf(mode: 'light' | 'dark'): Theme['shadows'] {
  const floating =
    mode === 'light'
      ? '0 1px 2px rgba(15,23,32,.08), 0 8px 24px rgba(15,23,32,.12)'
      : '0 0 0 1px #2c343e, 0 8px 24px rgba(0,0,0,.5)';
  return Array.from({ length: 25 }, (_, i) => (i === 0 ? 'none' : floating)) as Theme['shadows'];
}
