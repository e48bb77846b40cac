// @module-tag long
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { selfSigned } from '../receivers/certificate.js';
import { addMailbox, newEmail } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { ImapMailbox } from '#test/support/imap/imap-mailbox.js';
import { mailText } from '#test/support/mails.js';
import { NextHop } from '#test/support/next-hop.js';
import { BOTH_LOOPBACKS, readMessage, replyFrom, startMailDesk, trusting, useServer } from './mail-desk.js';

const SIGN_IN = { user: 'desk@acme.test', password: 'correct horse' };
const trusted = selfSigned();
const stranger = selfSigned();
const { desk } = await startMailDesk({ MAIL_ALLOWED_NETWORKS: BOTH_LOOPBACKS }, await trusting(trusted));

/** Creates a reply from a mailbox with this server. */
async function replyThrough(port: number, security: 'tls' | 'starttls'): Promise<{ id: string; to: string }> {
  const { id, name } = await addMailbox(desk);
  const signIn = { username: SIGN_IN.user, password: SIGN_IN.password };
  await useServer(desk, id, { host: 'localhost', port, security, ...signIn });
  return replyFrom(desk, name);
}

const reasonOf = (id: string) =>
  eventually(
    async () => {
      const message = await readMessage(desk, id);
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

describe.each(['tls', 'starttls'] as const)('an IMAP server over TLS (%s)', (security) => {
  it('serves mail when its certificate is trusted', async () => {
    const mailbox = await ImapMailbox.ofTest(desk, { tls: { by: security, ...trusted } });
    await mailbox.save({ host: 'localhost', security });
    await mailbox.inState('connected');
    const from = newEmail();
    mailbox.server.inbox.add(mailText({ From: from }));

    expect(await mailbox.ticketOf(from)).toMatchObject({ customer_name: from });
  });

  it('receives no password when its certificate is untrusted, and the mailbox shows the error', async () => {
    const mailbox = await ImapMailbox.ofTest(desk, { tls: { by: security, ...stranger } });
    await mailbox.save({ host: 'localhost', security });
    const { last_error: told } = await mailbox.inState('failing');

    expect(told).toMatch(/^The server’s certificate was rejected: /);
    expect(mailbox.server.commands.filter((command) => !/^(STARTTLS|CAPABILITY)/.test(command))).toEqual([]);
  });
});

describe('an IMAP server without STARTTLS', () => {
  it('receives no password when encryption is required, and the mailbox shows the error', async () => {
    const mailbox = await ImapMailbox.ofTest(desk);
    await mailbox.save({ host: 'localhost', security: 'starttls' });
    const { last_error: told } = await mailbox.inState('failing');

    expect(told).toContain('STARTTLS');
    expect(mailbox.server.commands.filter((command) => /LOGIN|AUTHENTICATE/.test(command))).toEqual([]);
  });
});
