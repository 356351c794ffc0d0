// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { resolveAction } from '#app/engine/actions.ts';
import { openDialog } from '#app/parts/openDialog.tsx';
import { openPage } from '#app/parts/openPage.tsx';
import { features } from '#tests/support/modules.tsx';

interface Definition {
  module: string;
  list?: { link?: boolean };
  buttons?: { btnNo: string; script: string; rows?: 1 | 'many' }[];
}
const definitions = Object.values(
  import.meta.glob<Definition>('/definitions/*/*.json', { import: 'default', eager: true }),
).filter((it) => /^(rma|ubs)/.test(it.module));

const row = { id: 7, sn: 'SN0001' };
const actionOf = ({ module }: Definition, { btnNo, script, rows }: NonNullable<Definition['buttons']>[number]) => {
  const button = { id: btnNo, btnNo, btnName: btnNo, btnScript: script, ...(rows && { rows }) };
  return resolveAction(button, `${module}List`, module, [row], features);
};
const buttons = definitions.flatMap((definition) =>
  (definition.buttons ?? []).map((button) => ({
    ...button,
    module: definition.module,
    action: actionOf(definition, button),
  })),
);
/** The way back, whatever it is called there. */
const leave = /^(Back to list|Back|Cancel|Close)$/;

describe('a view of the repair workshop', () => {
  // What stands in place of a list or of a record is reached as these are.
  const views = Object.keys(features.pages).filter((it) => /^(rma|ubs)/.test(it) && !/:(list|detail)$/.test(it));

  it('has no address but one under its list, whose toolbar opens it [S-GEN-05]', () => {
    expect(views.length).toBeGreaterThan(30);
    for (const view of views) {
      const [module = '', script = ''] = view.split(':');
      const own = buttons.filter((it) => it.module === module && it.script === script);
      const id = script === 'viewHistory' ? row.sn : row.id;
      const path = `/${module}List/${script}${features.recordPages.has(view) ? `/${id}` : ''}`;
      expect([view, own.map((it) => it.action)]).toEqual([view, [{ kind: 'open', path, keepsQuery: false }]]);
    }
    const apps = import.meta.glob<string>(
      ['/src/app/**/*.tsx', '/src/main/*.tsx', '/src/features/**/*.tsx', '!**/*.test.tsx'],
      {
        ...{ query: '?raw', import: 'default', eager: true },
      },
    );
    const routes = Object.values(apps).flatMap((it) =>
      [...it.matchAll(/<Route\b[^>]*\bpath="([^"]+)"/g)].map(([, path]) => path),
    );
    expect(routes.length).toBeGreaterThan(5);
    expect(routes.filter((it) => /rma|ubs/i.test(it ?? ''))).toEqual([]);
  });

  it.each(Object.keys(features.pages).filter((it) => /^(rma|ubs)/.test(it) && !it.endsWith(':list')))(
    'leads back to its list: %s [S-GEN-05]',
    async (name) => {
      vi.spyOn(console, 'error').mockImplementation(() => undefined);
      const { default: Page } = await (features.pages[name] as (typeof features.pages)[string])();
      const menuNo = `${name.split(':')[0]}List`;
      const id = features.recordPages.has(name) ? { id: '7' } : {};
      const { user, where } = await openPage(<Page menuNo={menuNo} {...id} />, {
        ...{ lang: 'en', address: `/${menuNo}/${name.split(':')[1]}` },
      });
      await user.click((await screen.findAllByRole('button', { name: leave }))[0] as HTMLElement);
      await waitFor(() => expect(where()).toBe(`/${menuNo}`));
    },
  );

  // Those that need a row are opened over one that fits them by the walk over all overlays; so are those of a page that
  // stands in place of its list.
  const shown = buttons.flatMap(({ module, action, rows }) =>
    action.kind === 'dialog' && rows === undefined && !features.pages[`${module}:list`]
      ? [{ module, key: action.key }]
      : [],
  );
  const dialogs = [...new Map(shown.map((it) => [it.key, it])).values()];
  it.each(dialogs.map((it) => [it.key, it] as const))(
    'that is a dialog lies over its list and leaves it where it is: %s [S-GEN-05]',
    async (_, { module, key }) => {
      vi.spyOn(console, 'error').mockImplementation(() => undefined);
      const { default: Dialog } = await (features.dialogs[key] as (typeof features.dialogs)[string])();
      const { user, onClose, where } = await openDialog(Dialog, module);
      const ways = () => screen.queryAllByRole('button', { name: /^(取消|关闭|返回)$/ });
      // What draws nothing acts at once, and is over by itself.
      await waitFor(() =>
        expect(ways().length + onClose.mock.calls.length, document.body.innerHTML).toBeGreaterThan(0),
      );
      if (ways().length > 0) await user.click(ways().at(-1) as HTMLElement);
      await waitFor(() => expect(onClose).toHaveBeenCalled());
      expect(where()).toBe('/here');
    },
  );
});
