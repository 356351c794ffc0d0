import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { demandRights } from '#server/declaredRights.ts';

const createApp = () => {
  const app = Fastify();
  demandRights(app);
  return app;
};

it.each(['/api/a.json', '/api/:module/pager.json', '/rest/session', '/file/:id'])(
  'a route %s that declares no right stops the start',
  (url) => {
    expect(() => createApp().get(url, () => 'x')).toThrow(`GET ${url} declares no right`);
    expect(() => createApp().get(url, { config: { right: '' } }, () => 'x')).toThrow('declares no right');
    expect(() => createApp().get(url, { config: { right: 'a:list' } }, () => 'x')).not.toThrow();
  },
);

it.each(['/api/a.json', '/api/:module/pager.json', '/rest/session', '/file/:id'])(
  'a route %s that asks for no right stops the start unless it says why',
  (url) => {
    for (const right of ['signedIn', 'public']) {
      const mount = (why?: string) => () => createApp().get(url, { config: { right, ...(why && { why }) } }, () => 'x');
      expect(mount()).toThrow(`GET ${url} does not say why it asks for no right`);
      expect(mount('It is about the asker')).not.toThrow();
    }
  },
);

it('also when a plugin brings it', async () => {
  const app = createApp();
  await expect(app.register(async (it) => void it.post('/api/hidden.json', () => 'x'))).rejects.toThrow(
    'POST /api/hidden.json declares no right',
  );
});

it('files of the client and health checks declare none', () => {
  const app = createApp();
  expect(() => app.get('/healthz', () => 'x').get('/assets/*', () => 'x')).not.toThrow();
});
