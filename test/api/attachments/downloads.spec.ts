import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FilesService } from '#libs/tickets';
import { afterAll, describe, expect, it } from 'vitest';
import { startDesk } from '#test/support/desk.js';
import { startTicket } from '#test/support/desk-records.js';
import { NEW_RECORDS } from '#test/support/new-records.js';
import { type TestFile, formOf, postFiles } from '#test/support/upload.js';

const folder = await mkdtemp(path.join(tmpdir(), 'attachments-'));
const desk = await startDesk({ settings: { STORAGE_URL: folder } });
const message = await NEW_RECORDS.message(desk);
afterAll(async () => {
  await desk.stop();
  await rm(folder, { recursive: true, force: true });
});

const firstMessage = async ({ number }: { number: number }): Promise<{ id: string }> =>
  (await desk.client().get(`/v1/tickets/${number}/messages`)).body.messages[0];

async function attachTo(id: string, file: Partial<TestFile> = {}): Promise<{ url: string; href: string }> {
  const { body } = await postFiles(desk, id, formOf([{ name: 'a.txt', bytes: 'hello', ...file }]));
  return body.attachments[0];
}

const one = (file: Partial<TestFile> = {}) => attachTo(message, file);

const download = (url: string, options: RequestInit = {}) =>
  fetch(url.replace(desk.settings.PUBLIC_URL, desk.base), options);

async function filesKept(): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}

describe('the URL of a file', () => {
  it('serves the file as a download, never as a page', async () => {
    const { url } = await one({ name: "ünïcode (x);'%.html", type: 'text/html', bytes: '<script>1</script>' });

    const answer = await download(url);

    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('<script>1</script>');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '18',
      'content-disposition':
        "attachment; filename=\"_n_code (x);'_.html\"; filename*=UTF-8''%C3%BCn%C3%AFcode%20%28x%29%3B%27%25.html",
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': expect.stringMatching(/^private, max-age=\d+$/),
    });
  });

  it('returns the content type only if it is harmless', async () => {
    const { url } = await one({ name: 'a.png', type: 'image/png' });

    expect((await download(url)).headers.get('content-type')).toBe('image/png');
  });

  it('stays the same for a while, so that an unchanged record keeps its ETag, and the file its Cache-Control', async () => {
    const { href, url } = await one();
    const address = href.replace(desk.settings.PUBLIC_URL, '');

    const first = await desk.client().get(address);
    const again = await desk.client().get(address, { 'if-none-match': first.headers.get('etag')! });

    expect(again.status).toBe(304);
    const etag = (await download(url)).headers.get('etag')!;
    const file = await download(url, { headers: { 'if-none-match': etag } });
    expect([file.status, file.headers.get('cache-control')]).toEqual([
      304,
      expect.stringMatching(/^private, max-age=\d+$/),
    ]);
  });

  it('returns 404 when any part of it is changed, and for another file', async () => {
    const [{ url }, other] = [await one(), await one({ name: 'b.txt' })];
    const pass = url.split('pass=')[1]!;
    const changed = Array.from(
      pass,
      (letter: string, at) => pass.slice(0, at) + (letter === 'A' ? 'B' : 'A') + pass.slice(at + 1),
    );

    for (const forged of [...changed, '', 'x', pass.slice(0, -1), `${pass}A`, `${pass}=`])
      expect((await download(url.replace(pass, forged))).status).toBe(404);
    expect((await download(other.url.replace(/pass=.*/, `pass=${pass}`))).status).toBe(404);
  });

  it('expires after fifteen to thirty minutes', async () => {
    const { url } = await one();

    desk.clock.advance({ minutes: 14 });
    expect((await download(url)).status).toBe(200);
    desk.clock.advance({ minutes: 16 });
    const late = await download(url);

    expect([late.status, (await late.json()) as object]).toMatchObject([403, { error: 'download_expired' }]);
  });

  it('returns one range of bytes, of the version that the client began with', async () => {
    const { url } = await one();
    const etag = (await download(url)).headers.get('etag')!;
    const asked = async (headers: Record<string, string>) => {
      const answer = await download(url, { headers: { range: 'bytes=1-3', ...headers } });
      return [answer.status, await answer.text(), answer.headers.get('content-range')];
    };

    expect(await asked({})).toEqual([206, 'ell', 'bytes 1-3/5']);
    expect(await asked({ 'if-range': etag })).toEqual([206, 'ell', 'bytes 1-3/5']);
    expect(await asked({ 'if-range': '"another"' })).toEqual([200, 'hello', null]);
    expect(await asked({ 'if-range': `W/${etag}` })).toEqual([200, 'hello', null]);
    expect(await asked({ 'if-range': new Date().toUTCString() })).toEqual([200, 'hello', null]);
    expect(await asked({ range: 'bytes=0-0,2-3' })).toEqual([200, 'hello', null]);
    expect(await asked({ 'if-none-match': etag })).toEqual([304, '', null]);
    const beyond = [416, expect.stringContaining('range_not_satisfiable'), 'bytes */5'];
    expect(await asked({ range: 'bytes=5-' })).toEqual(beyond);
  });

  it('answers HEAD with the size of the whole file, and without a body', async () => {
    const { url } = await one();

    const answer = await download(url, { method: 'HEAD', headers: { range: 'bytes=1-3' } });

    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(Object.fromEntries(answer.headers)).toMatchObject({ 'content-length': '5', 'accept-ranges': 'bytes' });
  });

  it('works for a deleted ticket until the ticket is purged', async () => {
    const ticket = await startTicket(desk);
    const { url } = await attachTo((await firstMessage(ticket)).id);

    await desk.client().delete(`/v1/tickets/${ticket.number}`);
    expect((await download(url)).status).toBe(200);
    const before = await filesKept();
    await desk.sql.query('delete from tickets where number = $1', [ticket.number]);
    await desk.api.get(FilesService, { strict: false }).removeStray();

    expect((await download(url)).status).toBe(404);
    expect(await filesKept()).toBe(before - 1);
    expect((await desk.sql.query('select from stray_files')).rowCount).toBe(0);
  });
});
