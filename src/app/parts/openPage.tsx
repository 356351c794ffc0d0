import { Fragment, type ComponentType, type PropsWithChildren, type ReactElement } from 'react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { I18nContextProvider } from 'ra-core';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { SUCCESS } from '#domain/call.ts';
import type { RefusalKey } from '#domain/refusal.ts';
import type { Language } from '#domain/words.ts';
import { FeaturesProvider } from '#app/features.ts';
import { i18nProvider, loadFeatureWords } from '#app/i18nProvider.ts';
import { createClient } from '#app/queryClient.ts';
import { currentLanguage, currentToken, currentUser } from '#app/session.ts';
import { stubNetwork } from '#app/testing/network.ts';
import { refused } from '#app/testing/refused.ts';
import { features } from '#tests/support/modules.tsx';

export interface Asked {
  path: string;
  input: Record<string, unknown>;
  token: string | null;
  key: string | null;
}

/** What the server answers at a path: data, a whole response, or a no made by `refuses`. */
export type Answers = Record<string, unknown>;
export interface Opening {
  lang?: Language;
  answers?: Answers;
  address?: string;
  /** What stands around the page. */
  Frame?: ComponentType<PropsWithChildren>;
}

class No {
  constructor(
    readonly key: RefusalKey,
    readonly msg: string,
  ) {}
}
export const refuses = (key: RefusalKey, msg: string): No => new No(key, msg);

const TOOLBAR = '/api/sysBtn/queryByMenuNo.json';
const isBeside = (path: string) => path === TOOLBAR || path.startsWith('/rest/stations/');

let users = 0;

/** Opens a page for a test: with the real words, a user of its own, and a server that is told what to answer. */
export async function openPage(
  page: ReactElement,
  { lang = 'zh', answers = {}, address = '/here', Frame = Fragment }: Opening = {},
) {
  const asked: Asked[] = [];
  Element.prototype.scrollIntoView = () => undefined;
  stubNetwork(async (address, init) => {
    const url = new URL(address, 'http://test');
    const headers = new Headers(init.headers);
    const query = Object.fromEntries(url.searchParams);
    const sent = init.body instanceof FormData ? { ...query, ...Object.fromEntries(init.body) } : query;
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : sent;
    const it = { path: url.pathname, input: body, token: headers.get('token'), key: headers.get('idempotency-key') };
    const given = answers[url.pathname];
    const none = url.pathname === TOOLBAR ? { items: [] } : undefined;
    // What goes on beside the work is only asked for where a test answers it.
    if (given !== undefined || !isBeside(url.pathname)) asked.push(it);
    const data = typeof given === 'function' ? await (given as (input: unknown) => unknown)(body) : (given ?? none);
    if (data === undefined) throw new TypeError(`nobody answers ${url.pathname}`);
    if (data instanceof Response) return data;
    if (data instanceof No) return refused(data.key, data.msg);
    return Response.json({ code: SUCCESS, msg: '', data });
  });
  users += 1;
  const userId = `user${users}`;
  currentToken.set('the-token');
  currentUser.set({
    userId,
    userName: '王建国',
    avatar: '',
    orgId: 'ORG',
    siteId: 'SZ',
    siteName: '深圳',
    roleIds: [],
    access: [],
    token: 'the-token',
    mustChangePassword: false,
  });
  currentLanguage.set(lang);
  await i18nProvider.changeLocale(lang);
  await loadFeatureWords();
  const client = createClient();
  const view = render(
    <MemoryRouter initialEntries={[address]}>
      <I18nContextProvider value={i18nProvider}>
        <QueryClientProvider client={client}>
          <FeaturesProvider value={features}>
            <Frame>{page}</Frame>
          </FeaturesProvider>
          <Where />
        </QueryClientProvider>
      </I18nContextProvider>
    </MemoryRouter>,
  );
  const user = userEvent.setup({ delay: null });
  const where = () => view.getByTestId('where').textContent;
  return { ...view, user, asked, where, callsTo: (path: string) => asked.filter((it) => it.path === path) };
}

function Where() {
  return <output data-testid="where">{useLocation().pathname}</output>;
}
