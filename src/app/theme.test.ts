import { expect, it } from 'vitest';
import { darkTheme, lightTheme } from '#app/theme.ts';

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
