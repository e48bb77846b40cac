// @module-tag long
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selfSigned } from '../receivers/certificate.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { addMailbox, newEmail, startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { ImapServer } from '#test/support/imap/server.js';
import { mailText } from '#test/support/mails.js';
import { NextHop } from '#test/support/next-hop.js';

const SIGN_IN = { user: 'desk@acme.test', password: 'correct horse' };
const trusted = selfSigned();
const stranger = selfSigned();

let desk: Desk;
beforeAll(async () => {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'ca-')), 'ca.pem');
  await writeFile(file, trusted.cert);
  desk = await startDesk({ settings: { MAIL_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128' } });
  await desk.worker({ NODE_EXTRA_CA_CERTS: file });
});
afterAll(() => desk.stop());

/** Creates a reply from a mailbox with this server. */
async function replyThrough(port: number, security: 'tls' | 'starttls'): Promise<{ id: string; to: string }> {
  const mailbox = await addMailbox(desk);
  const signIn = { username: SIGN_IN.user, password: SIGN_IN.password };
  const server = { host: 'localhost', port, security, ...signIn };
  const { status, text } = await desk.client().put(`/v1/mailboxes/${mailbox.id}/smtp`, server);
  if (status !== 200) throw new Error(text);
  const to = newEmail();
  const { number } = await startTicket(desk, { from: to, mailbox: mailbox.name });
  const { body } = await desk.client().post(`/v1/tickets/${number}/messages`, { body: 'It is on its way.' });
  return { id: body.message.id as string, to };
}

const reasonOf = (id: string) =>
  eventually(
    async () => {
      const { message } = (await desk.client().get(`/v1/messages/${id}`)).body;
      return message.delivery_reason !== null && `${message.delivery}: ${message.delivery_reason}`;
    },
    { withinMs: 20_000 },
  );

const hopWith = (certificate: typeof trusted, security: 'tls' | 'starttls') =>
  NextHop.start({ signIn: { ...SIGN_IN, ...certificate }, implicitTls: security === 'tls' });

const portOf = ({ url }: NextHop): number => Number(new URL(url).port);

describe.each(['tls', 'starttls'] as const)('a mail server over TLS (%s)', (security) => {
  it('accepts a reply when its certificate is trusted', async () => {
    const hop = await hopWith(trusted, security);
    const { to } = await replyThrough(portOf(hop), security);
    await hop.mailTo(to);
    await hop.stop();

    expect(hop.signIns).toBe(1);
  });

  it('receives no password and no email when its certificate is untrusted', async () => {
    const hop = await hopWith(stranger, security);
    const { id } = await replyThrough(portOf(hop), security);
    const reason = await reasonOf(id);
    await hop.stop();

    expect(reason).toMatch(/^queued: The server’s certificate was rejected: /);
    expect([hop.signIns, hop.ended]).toEqual([0, []]);
  });
});

describe('a mail server without STARTTLS', () => {
  it('receives nothing unencrypted when encryption is required', async () => {
    const heard: string[] = [];
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write('220 mail.test\r\n');
      socket.on('data', (chunk) => {
        const [word = ''] = chunk.toString().split(/\s/);
        heard.push(word);
        socket.write(word === 'EHLO' ? '250-mail.test\r\n250 AUTH PLAIN LOGIN\r\n' : '502 Not implemented\r\n');
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { id } = await replyThrough((server.address() as AddressInfo).port, 'starttls');
    const reason = await reasonOf(id);
    server.close();

    expect(reason).toMatch(/^queued: The mail server does not support STARTTLS, .*502 Not implemented/);
    expect(heard.filter((word) => !['EHLO', 'STARTTLS', 'QUIT'].includes(word))).toEqual([]);
  });
});

/** Creates a mailbox with this server and returns the path of its IMAP resource. */
async function mailboxAt(server: ImapServer, security: 'tls' | 'starttls'): Promise<string> {
  const resource = `/v1/mailboxes/${(await addMailbox(desk)).id}/imap`;
  await desk.client().put(resource, { ...server.settings, host: 'localhost', security });
  return resource;
}

const inState = (resource: string, state: string) =>
  eventually(
    async () => {
      const { imap } = (await desk.client().get(resource)).body;
      return imap.state === state && (imap as { last_error: string | null });
    },
    { withinMs: 20_000 },
  );

const ticketOf = (email: string) =>
  eventually(async () => (await desk.client().get(`/v1/tickets?customer=${email}`)).body.tickets[0], {
    withinMs: 20_000,
  });

describe.each(['tls', 'starttls'] as const)('an IMAP server over TLS (%s)', (security) => {
  it('serves mail when its certificate is trusted', async () => {
    const server = await ImapServer.start({ by: security, ...trusted });
    const resource = await mailboxAt(server, security);
    await inState(resource, 'connected');
    const from = newEmail();
    server.inbox.add(mailText({ From: from }));
    const ticket = await ticketOf(from);
    await desk.client().delete(resource);
    await server.stop();

    expect(ticket.customer_name).toBe(from);
  });

  it('receives no password when its certificate is untrusted, and the mailbox shows the error', async () => {
    const server = await ImapServer.start({ by: security, ...stranger });
    const resource = await mailboxAt(server, security);
    const { last_error: told } = await inState(resource, 'failing');
    await desk.client().delete(resource);
    await server.stop();

    expect(told).toMatch(/^The server’s certificate was rejected: /);
    expect(server.commands.filter((command) => !/^(STARTTLS|CAPABILITY)/.test(command))).toEqual([]);
  });
});

describe('an IMAP server without STARTTLS', () => {
  it('receives no password when encryption is required, and the mailbox shows the error', async () => {
    const server = await ImapServer.start();
    const resource = await mailboxAt(server, 'starttls');
    const { last_error: told } = await inState(resource, 'failing');
    await desk.client().delete(resource);
    await server.stop();

    expect(told).toContain('STARTTLS');
    expect(server.commands.filter((command) => /LOGIN|AUTHENTICATE/.test(command))).toEqual([]);
  });
});
