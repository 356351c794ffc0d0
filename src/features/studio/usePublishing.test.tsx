// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { DraftStatus } from '#domain/enums.ts';
import en from '#i18n/en/studio.json' with { type: 'json' };
import { cancelJob } from '#domain/jobs.ts';
import type { DialogProps } from '#app/parts/dialog.ts';
import { openPage, refuses } from '#app/parts/openPage.tsx';
import { currentUser } from '#app/session.ts';
import { publishingOf } from '#tests/support/toldPublishing.ts';
import {
  checkDraft,
  publishDraft,
  readDraft,
  readPublish,
  readPublishing,
  readTakingBack,
  takeBack,
} from './contract.ts';
import DraftPage from './DraftPage.tsx';
import { PublishModal } from './PublishModal.tsx';
import PublishPage from './PublishPage.tsx';
import TakeBackDialog from './TakeBackDialog.tsx';
import { TakeBackModal } from './TakeBackModal.tsx';
import type { Publishing } from './usePublishing.ts';

const lost = () => Promise.reject(new TypeError('Failed to fetch'));

/** The dialog of a draft, over a server whose last publish of it is `server.last`. */
async function openDialog(order: unknown, first: Publishing | null = null) {
  const server = { last: first };
  const onDone = vi.fn();
  const page = await openPage(<PublishModal id={7} version={1} onDone={onDone} onClose={vi.fn()} />, {
    lang: 'en',
    answers: {
      [readPublishing.path]: () => ({ last: server.last }),
      [publishDraft.path]:
        typeof order === 'function' ? () => (order as (it: typeof server) => unknown)(server) : order,
      '/rest/jobs/3/cancel': () => {
        server.last = publishingOf({ state: 'cancelled' });
        return { ...server.last, id: 3, title: '', module: '', kind: 'publish' };
      },
    },
  });
  const publish = async () => {
    await page.user.type(await screen.findByRole('textbox'), 'why');
    await page.user.click(screen.getByRole('button', { name: 'Publish' }));
  };
  const ordered = () => page.callsTo(publishDraft.path).length;
  return { ...page, server, onDone, publish, ordered };
}
/** What is wrong, as the dialog says it. */
const findProblem = async () => (await within(await screen.findByRole('dialog')).findByRole('alert')).textContent;

describe('the dialog of a publish', () => {
  it('is done with its call where that is quick', async () => {
    const { publish, onDone } = await openDialog(publishingOf({ state: 'done', id: 9 }));
    await publish();
    await waitFor(() => expect(onDone).toHaveBeenCalledWith(9));
    expect(onDone).toHaveBeenCalledTimes(1);
  });

  it('follows what takes longer than its call to its end, and says how far it is', async () => {
    const { server, publish, onDone, ordered } = await openDialog((it: { last: Publishing }) => {
      it.last = publishingOf({ progress: 2, total: 5 });
      return it.last;
    });
    await publish();
    expect(await screen.findByText('Builds index 2 of 2 while everybody works on')).toBeTruthy();
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('40');
    server.last = publishingOf({ progress: 4, total: 5 });
    await screen.findByText(/^Published\. Existing rows/);
    server.last = publishingOf({ state: 'done', id: 9 });
    await waitFor(() => expect(onDone).toHaveBeenCalledWith(9));
    expect(ordered()).toBe(1);
  });

  it('shows how far it is while its call is still waited for', async () => {
    const { publish, server } = await openDialog(() => new Promise(() => undefined));
    await publish();
    await screen.findByText(/^It goes on if this window is closed/);
    server.last = publishingOf();
    expect(await screen.findByText('Writes the changes as soon as no table is busy')).toBeTruthy();
  });

  it('finds again what runs, also a colleague’s, which it can neither order nor cancel', async () => {
    const { server, onDone, ordered } = await openDialog(null, publishingOf());
    await screen.findByText('Writes the changes as soon as no table is busy');
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Cancel the job' })).toBeNull();
    server.last = publishingOf({ state: 'done', id: 9 });
    await waitFor(() => expect(onDone).toHaveBeenCalledWith(9));
    expect(ordered()).toBe(0);
  });

  it('cancels it until it is written, and can order it again', async () => {
    const { user, publish, onDone, callsTo } = await openDialog((it: { last: Publishing | null }) => {
      const more = it.last ? { jobId: 4, progress: 2 } : {};
      it.last = publishingOf({ ...more, userId: currentUser.get()?.userId ?? '' });
      return it.last;
    });
    await publish();
    await user.click(await screen.findByRole('button', { name: 'Cancel the job' }));
    expect(await findProblem()).toBe('Cancelled. Nothing was changed');
    expect(callsTo(cancelJob.path.replace(':id', '3'))).toHaveLength(1);
    expect(onDone).not.toHaveBeenCalled();
    expect(screen.getByRole('textbox')).toHaveProperty('value', 'why');
    await user.click(screen.getByRole('button', { name: 'Publish' }));
    await screen.findByText(/^Published\. Existing rows/);
    expect(screen.queryByRole('button', { name: 'Cancel the job' })).toBeNull();
  });

  it('says why it was refused, by the call or later, and how it ended before says nothing of it', async () => {
    const refused = await openDialog(refuses('stale', 'somebody was faster'), publishingOf({ state: 'done', id: 8 }));
    await refused.publish();
    expect(await findProblem()).toContain('somebody was faster');
    refused.unmount();
    const { server, publish, onDone } = await openDialog((it: { last: Publishing }) => (it.last = publishingOf()));
    await publish();
    await screen.findByText('Writes the changes as soon as no table is busy');
    server.last = publishingOf({ state: 'failed', msg: 'rows are in the way' });
    expect(await findProblem()).toBe('rows are in the way');
    expect([refused.onDone.mock.calls, onDone.mock.calls]).toEqual([[], []]);
    expect(screen.getByRole('button', { name: 'Publish' })).toHaveProperty('disabled', false);
  });

  it.each<[string, Partial<Publishing>]>([
    ['done', { state: 'done', id: 9 }],
    ['failed', { state: 'failed', msg: 'rows are in the way' }],
  ])('of a lost answer asks what became of it, and hears that it is %s', async (state, end) => {
    const { publish, onDone, ordered } = await openDialog(
      (it: { last: Publishing }) => {
        it.last = publishingOf({ jobId: 4, ...end });
        return lost();
      },
      publishingOf({ state: 'failed', msg: 'an older one' }),
    );
    await publish();
    if (state === 'done') await waitFor(() => expect(onDone).toHaveBeenCalledWith(9));
    else expect(await findProblem()).toBe('rows are in the way');
    expect(ordered()).toBe(1);
  });

  it('says of a lost order that it was not ordered', async () => {
    const { publish, onDone } = await openDialog(lost, publishingOf({ state: 'done', id: 8 }));
    await publish();
    await screen.findByText(/^No answer came\. Asking/);
    expect(await findProblem()).toMatch(/nothing was done/);
    expect(onDone).not.toHaveBeenCalled();
  });
});

const left = (place: string, rule: string) => ({
  ...{ kind: 'NotApplied', rule, module: 'ubsSite', path: `fields.${place}`, name: place },
  place: { zh: place && `站点 · ${place}`, en: place && `Sites · ${place}` },
});
const partly = publishingOf({
  ...{ state: 'done', id: 9 },
  leftOut: [left('fax', 'tableBusy'), left('phone', 'emptyComes'), left('', 'rulesNotSet')],
});
const heads = { publish: /^Published as number 9, but/, takeBack: /^Taken back by publish 9, but/ };
/** Each place, and the sentence under it. */
const expectLeftOut = async (place: HTMLElement, kind: keyof typeof heads) => {
  const note = await screen.findByText(heads[kind]);
  expect(place.contains(note)).toBe(true);
  const told = [...note.querySelectorAll('li')].map((it) => [it.querySelector('b')?.textContent, it.textContent]);
  const { tableBusy, emptyComes, rulesNotSet } = en.problems;
  expect(told).toEqual([
    ['Sites · fax', `Sites · fax${tableBusy}`],
    ['Sites · phone', `Sites · phone${emptyComes}`],
    ['All modules', `All modules${rulesNotSet}`],
  ]);
  expect(note.textContent).toContain(en.publish.again);
};

describe('what a publish leaves out', () => {
  it.each<[string, unknown, Publishing | null]>([
    ['its call has told it', partly, null],
    ['it ran already when the page was loaded', null, publishingOf()],
  ])('is told by module and field in its dialog before that is left, where %s', async (_, order, first) => {
    const { publish, server, onDone, user } = await openDialog(order, first);
    if (first) {
      await screen.findByText('Writes the changes as soon as no table is busy');
      server.last = partly;
    } else await publish();
    await expectLeftOut(await screen.findByRole('dialog'), 'publish');
    expect(onDone).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(onDone.mock.calls).toEqual([[9]]);
  });

  it('is told by the dialog of a taking back as well', async () => {
    const onDone = vi.fn();
    const { user } = await openPage(<TakeBackModal id={4} onDone={onDone} onClose={vi.fn()} />, {
      lang: 'en',
      answers: { [readTakingBack.path]: { last: null }, [takeBack.path]: { ...partly, version: null } },
    });
    await user.type(screen.getByRole('textbox'), 'why');
    await user.click(screen.getByRole('button', { name: 'Take back' }));
    await expectLeftOut(await screen.findByRole('dialog'), 'takeBack');
    expect(onDone).not.toHaveBeenCalled();
    await user.keyboard('{Escape}');
    expect(onDone).toHaveBeenCalledTimes(1);
  });
});

const names = { modules: {}, fields: {}, roles: {}, standard: {} };
const nothing = { problems: [], warnings: [], contents: [], statements: [], broken: [], uses: [] };
const part = { module: 'rmaCheckBill', change: { label: { zh: '检测', en: 'First test' } }, version: 1 };
const before = { definition: null, options: {}, menu: [], rights: {} };

describe('the page of a draft', () => {
  const open = async (first: Publishing) => {
    const server = { last: first, publishId: null as number | null };
    await openPage(<DraftPage menuNo="sysDraftList" id="7" />, {
      lang: 'en',
      answers: {
        [readDraft.path]: () => ({
          ...{ id: 7, name: 'Mine', version: 1, publishId: server.publishId, names },
          status: server.publishId === null ? DraftStatus.Open : DraftStatus.Published,
          parts: [{ ...part, updateBy: 'anna', updateTime: 0, before }],
        }),
        [checkDraft.path]: nothing,
        [readPublishing.path]: () => ({ last: server.last }),
      },
    });
    act(() => currentUser.set({ ...currentUser.get(), access: ['sysDraft:publish'] } as never));
    await screen.findByText('What it changes');
    return server;
  };

  it('says while it is published who does it and how far it is, does not offer it, and says when it is done', async () => {
    const server = await open(publishingOf());
    expect((await screen.findByText('Anna publishes this draft')).textContent).toContain('Writes the changes');
    expect(screen.getByRole('progressbar')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Publish' })).toBeNull();
    expect(screen.queryByText(/can be published/)).toBeNull();
    server.publishId = 5;
    server.last = publishingOf({ state: 'done', id: 5 });
    await screen.findByText(/publish 5$/);
    expect(screen.queryByRole('progressbar')).toBeNull();
  });

  it('says what was left out once it is published, also to who comes later', async () => {
    const server = await open(publishingOf());
    expect(screen.queryByText(heads.publish)).toBeNull();
    server.publishId = 9;
    server.last = partly;
    await expectLeftOut(document.body, 'publish');
  });

  it('says why the last try was refused, until the draft is changed', async () => {
    const server = await open(publishingOf());
    server.last = publishingOf({ state: 'failed', msg: 'rows are in the way' });
    await screen.findByText('The last attempt to publish was refused: rows are in the way');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Publish' })).toHaveProperty('disabled', false));
  });

  it('says nothing of a try from before the draft was changed', async () => {
    await open(publishingOf({ state: 'failed', msg: 'rows are in the way', version: 0 }));
    await screen.findByRole('button', { name: 'Publish' });
    expect(screen.queryByText(/was refused/)).toBeNull();
  });
});

describe('a taking back', () => {
  const told = { id: 4, userId: 'anna', userName: 'Anna', at: 0, note: 'why', isInForce: true };

  it('whose answer was lost is followed as well', async () => {
    const onDone = vi.fn();
    let last: Publishing | null = null;
    const props = { button: { btnName: 'Take back' }, rows: [{ id: 4 }], onDone, onClose: vi.fn() };
    const { user, callsTo } = await openPage(<TakeBackDialog {...(props as unknown as DialogProps)} />, {
      lang: 'en',
      answers: {
        [readTakingBack.path]: () => ({ last }),
        [takeBack.path]: () => {
          last = publishingOf({ state: 'done', id: 6, version: null });
          return lost();
        },
      },
    });
    await user.type(screen.getByRole('textbox'), 'why');
    await user.click(screen.getByRole('button', { name: 'Take back' }));
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(callsTo(takeBack.path)).toHaveLength(1);
  });

  it('is shown by the page of the publish while it runs', async () => {
    let last = publishingOf({ version: null });
    let isInForce = true;
    await openPage(<PublishPage menuNo="sysPublishList" id="4" />, {
      lang: 'en',
      answers: {
        [readPublish.path]: () => ({ ...told, isInForce, trouble: [], takesBack: [], parts: [], names }),
        [readTakingBack.path]: () => ({ last }),
      },
    });
    await screen.findByText('Anna takes this publish back');
    isInForce = false;
    last = publishingOf({ state: 'done', id: 6, version: null });
    await screen.findByText('Taken back');
  });

  it('leaves something out, which the page of the publish says', async () => {
    await openPage(<PublishPage menuNo="sysPublishList" id="4" />, {
      lang: 'en',
      answers: {
        [readPublish.path]: { ...told, isInForce: false, trouble: [], takesBack: [], parts: [], names },
        [readTakingBack.path]: { last: { ...partly, version: null } },
      },
    });
    await expectLeftOut(document.body, 'takeBack');
  });

  it('is offered by the page of a publish that counts, to who may', async () => {
    const state = { isInForce: true, trouble: [{ kind: 'NotApplied', module: 'ubsSite', path: '', name: 'x' }] };
    const { user, callsTo } = await openPage(<PublishPage menuNo="sysPublishList" id="4" />, {
      lang: 'en',
      answers: {
        [readPublish.path]: () => ({ ...told, ...state, takesBack: [], parts: [], names }),
        [readTakingBack.path]: { last: null },
        [takeBack.path]: () => {
          state.isInForce = false;
          return publishingOf({ state: 'done', id: 6, version: null });
        },
      },
    });
    await screen.findByText(/The server started without this publish/);
    expect(screen.queryByRole('button', { name: 'Take back' })).toBeNull();
    act(() => currentUser.set({ ...currentUser.get(), access: ['sysPublish:takeBack'] } as never));
    await user.click(await screen.findByRole('button', { name: 'Take back' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.keyboard('entered twice');
    await user.click(dialog.getByRole('button', { name: 'Take back' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Take back' })).toBeNull());
    expect(callsTo(takeBack.path)[0]?.input).toEqual({ id: 4, since: false, note: 'entered twice' });
  });
});
