import { type Socket, connect } from 'node:net';
import { LOGGER } from '#libs/telemetry';
import { afterEach, describe, expect, it } from 'vitest';
import { UncountedAddresses } from '../../../apps/api/src/layers/edge/address-counts.js';
import { MailIntakeService } from '../../../apps/api/src/smtp/mail-intake.service.js';
import { MailServer } from '../../../apps/api/src/smtp/mail-server.js';
import { SMTP_SESSION_LIMITS, type SmtpSessionLimits, SmtpSessions } from '../../../apps/api/src/smtp/smtp-sessions.js';
import { deskWithPorts } from '#test/support/desk-for-file.js';
import { newEmail } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { mailText } from '#test/support/mails.js';
import { mailLines, talk } from '#test/support/smtp.js';

const desk = deskWithPorts(['MAIL_PORT']);
const sockets: Socket[] = [];
const servers: MailServer[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** Opens an SMTP port of the same desk with limits that a test can reach. */
async function openPort(limits: Partial<SmtpSessionLimits>): Promise<number> {
  const sessions = new SmtpSessions(new UncountedAddresses([]), { ...SMTP_SESSION_LIMITS, ...limits });
  const options = { protocol: 'smtp', name: 'desk.test', stallMs: 30_000, tls: undefined } as const;
  const find = { strict: false };
  const server = new MailServer(options, desk.api.get(MailIntakeService, find), sessions, desk.api.get(LOGGER, find));
  servers.push(server);
  return server.listen(0, '127.0.0.1');
}

interface Client {
  readonly socket: Socket;
  text: string;
}

/** Sends a line after each reply, and then nothing or one line repeatedly. */
function open(at: number, lines: readonly string[] = [], again?: string): Client {
  const socket = connect(at, '127.0.0.1');
  const client = { socket, text: '' };
  const left = [...lines];
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    client.text += chunk.toString();
    if (!client.text.endsWith('\r\n')) return;
    const line = left.shift() ?? again;
    if (line !== undefined && !socket.destroyed) socket.write(`${line}\r\n`);
  });
  sockets.push(socket);
  return client;
}

const port = (): number => desk.settings.MAIL_PORT;
const aMail = (from = newEmail()): string[] => mailLines(from, [desk.account.mailbox.email], mailText({ From: from }));
const untilData = (): string[] => ['EHLO client.test', ...aMail().slice(0, 3)];
const SENT = ['250', '250', '354', '250'];
const EVICTED = '421 Too many connections and this one is idle';

describe('an SMTP port with all connections taken', () => {
  it('accepts an email at once by ending the connection that was idle longest', async () => {
    const first = open(port(), ['EHLO client.test']);
    await eventually(() => first.text.includes('250 '));
    const others = Array.from({ length: 199 }, () => open(port(), ['EHLO client.test', aMail()[0]!]));
    await eventually(() => others.every(({ text }) => text.includes('250 ')));
    const began = performance.now();
    const said = await talk(port(), aMail());

    expect(said).toEqual(SENT);
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(first.text).toContain(EVICTED);
    expect(others.filter(({ text }) => text.includes('421'))).toEqual([]);
  });

  it('ends no session that is sending an email', async () => {
    const small = await openPort({ maxSessions: 2 });
    const sending = [open(small, untilData()), open(small, untilData())];
    await eventually(() => sending.every(({ text }) => text.includes('354 ')));
    const refused = open(small);
    await eventually(() => refused.text.includes('421 Too many connected clients'));
    sending[0]!.socket.write('Subject: late\r\n\r\nHello\r\n.\r\nQUIT\r\n');
    await eventually(() => sending[0]!.text.includes('221 '));

    expect(await talk(small, aMail())).toEqual(SENT);
    expect(sending[1]!.text).not.toContain('421');
  });
});

describe('a session of the mail port', () => {
  it.each(['NOOP', undefined])('ends when it sends no email in time (then sends: %s)', async (again) => {
    const hasty = await openPort({ maxIdleMs: 700, maxIdleCommands: 1_000_000 });
    const idle = open(hasty, ['EHLO client.test'], again);
    await eventually(() => idle.socket.destroyed);

    expect(idle.text).toMatch(/^421 No message within 0\.7 seconds/m);
  });

  it.each(['NOOP', 'RSET', 'VRFY ana', 'HELP', 'EHLO again.test', 'MAIL FROM:<ana@client.test>'])(
    'ends after twenty commands without an email: %s',
    async (command) => {
      const said = await talk(
        port(),
        Array.from({ length: 25 }, () => command),
      );

      expect(said.indexOf('421')).toBe(19);
    },
  );

  it('can send several emails with commands between them', async () => {
    const noops = Array.from({ length: 15 }, () => 'NOOP');
    const said = await talk(port(), [...noops, ...aMail(), ...noops, ...aMail()]);

    expect(said.filter((code) => code === '354')).toHaveLength(2);
    expect(said).not.toContain('421');
  });
});
