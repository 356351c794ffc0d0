import { getContrastRatio, type Theme } from '@mui/material/styles';
import { expect, it } from 'vitest';
import { darkTheme, lightTheme, NOTICE_ROOM } from '#app/theme.ts';

/** The rules that the theme has for a part of a component, as the theme writes them. */
function rulesOf(
  theme: Theme,
  component: 'MuiInputBase' | 'MuiOutlinedInput' | 'MuiSwitch' | 'MuiDialog',
  part: string,
) {
  const overrides = theme.components?.[component]?.styleOverrides as Record<string, unknown>;
  const rules = overrides[part];
  return (typeof rules === 'function' ? rules({ theme }) : rules) as Record<string, Record<string, unknown>>;
}

it.each([lightTheme, darkTheme])('tells words and the boundaries of controls apart from what they stand on', (of) => {
  const { palette } = of();
  const grounds = [palette.background.paper, palette.background.default];
  const words = { ...palette.text, disabled: palette.text.primary };
  const tones = [palette.primary, palette.success, palette.warning, palette.error, palette.info].map((it) => it.main);
  for (const ground of grounds) {
    for (const it of [...Object.values(words), ...tones]) expect(getContrastRatio(it, ground), it).toBeGreaterThan(4.5);
    for (const it of [palette.outline, palette.text.disabled])
      expect(getContrastRatio(it, ground), it).toBeGreaterThan(3);
  }
});

it.each([lightTheme, darkTheme])(
  'draws fields, what they ask for and switches in colours that are told apart',
  (of) => {
    const theme = of();
    const { outline, text } = theme.palette;
    const placeholder = rulesOf(theme, 'MuiInputBase', 'input')['&::placeholder'];
    expect(placeholder).toEqual({ color: text.secondary, opacity: 1 });
    const field = rulesOf(theme, 'MuiOutlinedInput', 'root')['& .MuiOutlinedInput-notchedOutline'];
    expect(field?.['borderColor']).toBe(outline);
    expect(JSON.stringify([rulesOf(theme, 'MuiSwitch', 'thumb'), rulesOf(theme, 'MuiSwitch', 'track')])).toContain(
      outline,
    );
  },
);

it('gives each dialog of a phone the lower edge and the height of what it holds', () => {
  const phone = '@media (max-width: 767px)';
  expect(rulesOf(lightTheme(), 'MuiDialog', 'container')[phone]).toEqual({
    paddingTop: NOTICE_ROOM,
    alignItems: 'flex-end',
  });
  expect(rulesOf(lightTheme(), 'MuiDialog', 'paper')[phone]).toMatchObject({ margin: 0, maxHeight: '100%' });
});

it.each([lightTheme, darkTheme])(
  'moves nothing for longer than 120 ms, and nothing for who asked for less',
  (theme) => {
    const { transitions, components } = theme();
    expect(Object.values(transitions.duration).filter((it) => it > 120)).toEqual([]);
    for (const it of [components?.MuiMenu, components?.MuiPopover]) {
      expect(it?.defaultProps?.transitionDuration).toBeLessThanOrEqual(120);
    }
    const overrides = components?.MuiCssBaseline?.styleOverrides as Record<string, Record<string, object>>;
    expect(overrides['@media (prefers-reduced-motion: reduce)']?.['*, *::before, *::after']).toMatchObject({
      animationDuration: expect.stringContaining('!important'),
      transitionDuration: expect.stringContaining('!important'),
    });
  },
);
