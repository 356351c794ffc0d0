import { decomposeColor, getContrastRatio, recomposeColor, type Theme } from '@mui/material/styles';
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

/** What is seen where a colour that shows what is under it lies on another. */
function layOn(ground: string, over: string): string {
  const { values: under } = decomposeColor(ground);
  const { values } = decomposeColor(over);
  const [alpha = 1] = values.slice(3);
  const mixed = under.map((it, i) => Math.round(it * (1 - alpha) + (values[i] ?? 0) * alpha));
  return recomposeColor({ type: 'rgb', values: mixed as [number, number, number] });
}

it.each([lightTheme, darkTheme])('tells words apart from what is selected or pointed at, wherever it is', (of) => {
  const { palette } = of();
  for (const ground of [palette.background.paper, palette.background.default]) {
    for (const state of [palette.action.selected, palette.action.hover]) {
      for (const word of [palette.text.primary, palette.text.secondary, palette.primary.main])
        expect(getContrastRatio(word, layOn(ground, state)), `${word} on ${state} on ${ground}`).toBeGreaterThan(4.5);
    }
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
