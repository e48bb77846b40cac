// @module-tag long
import { get } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:tls';
import { PasswordsService } from '#libs/access';
import { MAX_ATTACHMENT_BYTES } from '#libs/entities';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { csrfOf } from '../oauth/support/person.js';
import { startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { formOf } from '#test/support/upload.js';
import { CLIENT_ADDRESS, ProxiedDesk } from './proxied-desk.js';
import { DOMAIN, PROXIES } from './proxy-programs.js';

/** `PROXIES=full` runs nginx, HAProxy and Caddy: those of this machine, or Debian's, unpacked below `.data`. */
const IS_FULL = process.env['PROXIES'] === 'full';
const PASSWORD = 'correct horse battery';
const WAIT_SECONDS = 30;

describe.runIf(IS_FULL).each(Object.keys(PROXIES) as (keyof typeof PROXIES)[])(
  '%s with the printed configuration',
  (name) => {
    let proxied: ProxiedDesk;
    beforeAll(async () => {
      proxied = await ProxiedDesk.start(name);
    });
    afterAll(() => proxied.stop());

    /** Signs in with the form, as a browser that claims another address. */
    async function signIn(): Promise<string> {
      const { desk } = proxied;
      const { id, owner } = desk.account;
      await desk.api.get(PasswordsService).set(id, owner.id, PASSWORD);
      const form = await proxied.ask('/sign-in');
      const csrf = csrfOf({ html: await form.body.text() } as Parameters<typeof csrfOf>[0]);
      const answer = await proxied.ask('/sign-in', {
        method: 'POST',
        headers: {
          cookie: cookiesOf(form.headers['set-cookie']),
          origin: `https://${DOMAIN}`,
          'content-type': 'application/x-www-form-urlencoded',
          'x-forwarded-for': '203.0.113.66',
        },
        body: new URLSearchParams({ csrf, email: owner.email, password: PASSWORD }).toString(),
      });
      await answer.body.dump();
      expect(answer.statusCode).toBe(303);
      return cookiesOf(answer.headers['set-cookie']);
    }

    it('terminates TLS, with HTTP/2, and redirects plain HTTP', async () => {
      const socket = connect({
        host: '127.0.0.1',
        port: proxied.ports.https,
        servername: DOMAIN,
        ALPNProtocols: ['h2', 'http/1.1'],
        rejectUnauthorized: false,
      });
      await once(socket, 'secureConnect');
      const request = get({ port: proxied.ports.http, path: '/inbox?page=2', headers: { host: DOMAIN } });
      const [redirect] = (await once(request, 'response')) as [IncomingMessage];

      expect(socket.alpnProtocol).toBe('h2');
      expect([redirect.statusCode! >= 301 && redirect.statusCode! <= 308, redirect.headers.location]).toEqual([
        true,
        `https://${DOMAIN}/inbox?page=2`,
      ]);
      socket.destroy();
      redirect.resume();
    });

    it('passes the real address of the client and the public name to the desk', async () => {
      await signIn();

      const { rows } = await proxied.desk.sql.query('select host(address::inet) as address from sessions');
      expect(rows).toEqual([{ address: CLIENT_ADDRESS }]);
      const { ticket } = (await proxied.call('GET', `/v1/tickets/${(await startTicket(proxied.desk)).number}`)).body;
      expect(ticket.href).toMatch(`https://${DOMAIN}/v1/tickets/`);
    });

    it('passes live changes on at once', async () => {
      const cookie = await signIn();
      const page = await (await proxied.ask('/inbox', { headers: { cookie } })).body.text();
      const [, watch = '', seen = ''] = /data-watch="([^"]+)" data-version="([^"]+)"/.exec(page) ?? [];
      const stream = await proxied.ask(`/live?${new URLSearchParams({ watch, seen })}`, { headers: { cookie } });
      expect(stream.statusCode).toBe(200);
      let heard = '';
      stream.body.on('data', (chunk: Buffer) => (heard += chunk.toString()));
      await startTicket(proxied.desk);

      await eventually(() => heard.includes('event: changed'), { withinMs: 5_000 });
      stream.body.destroy();
    });

    it('keeps a long-polling request open until it is answered', { timeout: 60_000 }, async () => {
      const cursor = await eventually(async () => {
        const { body } = await proxied.call(
          'GET',
          `/v1/changes?${new URLSearchParams(position && { cursor: position })}`,
        );
        position = body.meta.cursor as string;
        return !body.meta.has_more && position;
      });
      const idle = await proxied.call('GET', `/v1/changes?wait=${WAIT_SECONDS}&cursor=${cursor}`);
      const waiting = proxied.call('GET', `/v1/changes?wait=${WAIT_SECONDS}&cursor=${idle.body.meta.cursor}`);
      await startTicket(proxied.desk);

      expect(idle).toMatchObject({ status: 200, body: { changes: [] } });
      expect((await waiting).body.changes).not.toEqual([]);
    });
    let position: string | undefined;

    it('accepts the largest file', { timeout: 60_000 }, async () => {
      const { number } = await startTicket(proxied.desk);
      const { messages } = (await proxied.call('GET', `/v1/tickets/${number}/messages`)).body;
      const form = new Response(formOf([{ name: 'large.bin', bytes: new Uint8Array(MAX_ATTACHMENT_BYTES) }]));
      const answer = await proxied.ask(`/v1/messages/${messages[0].id}/attachments`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${proxied.desk.account.owner.token}`,
          'content-type': form.headers.get('content-type')!,
        },
        body: Buffer.from(await form.arrayBuffer()),
      });

      expect([answer.statusCode, await answer.body.text()]).toEqual([201, expect.stringContaining('large.bin')]);
    });

    it.each(['/metrics', '/metrics?x', '/%6detrics', '//metrics', '/metrics/', '/v1/../metrics'])(
      'hides the metrics at %s',
      async (path) => {
        const answer = await proxied.ask(path);

        expect(answer.statusCode).toBeGreaterThanOrEqual(400);
        expect(await answer.body.text()).not.toContain('# TYPE');
      },
    );
  },
);

function cookiesOf(lines: string | string[] | undefined): string {
  return [lines ?? []]
    .flat()
    .map((line) => line.split(';')[0])
    .join('; ');
}
