import { describe, expect, it } from 'vitest';
import { startDesk } from '#test/support/desk.js';
import { deskForFile } from '#test/support/desk-for-file.js';

const desk = deskForFile({
  settings: { PUBLIC_URL: 'https://desk.example/', MAIL_FROM: 'Té <Hélp+?a&b@Desk.example>' },
});
const get = (path: string) => desk.anonymous().get(path);
const DAY_MS = 86_400_000;

describe('/llms.txt', () => {
  it('names addresses of this installation that answer', async () => {
    const { status, headers, text } = await get('/llms.txt');
    const paths = Array.from(text.matchAll(/\]\(https:\/\/desk\.example(\/[^)]*)\)/g), ([, path]) => path!);

    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(headers.get('cache-control')).toBe('public, max-age=86400');
    expect(text).toMatch(/^# Deskwire\n\n> \w/);
    expect(paths).toEqual(
      expect.arrayContaining(['/openapi.json', '/docs', '/docs/webhooks', '/docs/guides/webhooks', '/mcp']),
    );
    for (const path of paths.filter((one) => one !== '/mcp'))
      expect([path, (await get(path)).status]).toEqual([path, 200]);
  });
});

describe('/.well-known/security.txt', () => {
  it('names the sender of mails as a contact, for less than a year', async () => {
    const { status, headers, text } = await get('/.well-known/security.txt');
    const fields = text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(': '));
    const { Expires, Contact, ...others } = Object.fromEntries(fields) as Record<string, string>;
    const leftMs = Date.parse(Expires!) - desk.clock.now().getTime();

    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(Contact).toMatch(/^mailto:[\w.%+-]+@Desk\.example$/);
    expect(decodeURIComponent(Contact!)).toContain('lp+?a&b@');
    expect(Expires).toMatch(/T00:00:00Z$/);
    expect(leftMs).toBeGreaterThan(300 * DAY_MS);
    expect(leftMs).toBeLessThan(365 * DAY_MS);
    expect(others).toEqual({
      'Preferred-Languages': 'en',
      Canonical: 'https://desk.example/.well-known/security.txt',
    });
  });

  it('returns 404 for security.txt when mails come from no address', async () => {
    const mute = await startDesk({ settings: { MAIL_FROM: 'Deskwire' } });
    const { status, body } = await mute.anonymous().get('/.well-known/security.txt');
    await mute.stop();

    expect([status, body.error]).toEqual([404, 'security_contact_not_found']);
  });
});

describe('/favicon.ico', () => {
  it('answers with an icon of several sizes', async () => {
    const { status, headers } = await get('/favicon.ico');
    const bytes = Buffer.from(await (await fetch(`${desk.base}/favicon.ico`)).arrayBuffer());

    expect([status, headers.get('content-type')]).toEqual([200, 'image/x-icon']);
    expect([bytes.readUInt16LE(2), bytes.readUInt16LE(4)]).toEqual([1, 3]);
  });
});

it.each(['/llms.txt', '/.well-known/security.txt', '/favicon.ico'])(
  'answers HEAD like GET, and refuses other methods: %s',
  async (path) => {
    const [whole, head, posted] = [
      await desk.anonymous().get(path),
      await desk.anonymous().send('HEAD', path),
      await desk.anonymous().post(path, {}),
    ];

    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['content-type', 'content-length', 'cache-control'])
      expect([name, head.headers.get(name)]).toEqual([name, whole.headers.get(name)]);
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(Object.keys((await get('/openapi.json')).body.paths)).not.toContain(path);
  },
);
