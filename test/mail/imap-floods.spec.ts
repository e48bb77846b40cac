// @module-tag long
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { ImapFlow } from 'imapflow';
import { afterEach, describe, expect, it } from 'vitest';
import { ServerFlood } from '../../apps/worker/src/mail/imap/connection-fault.js';
import { ImapFolder } from '../../apps/worker/src/mail/imap/imap-folder.js';
import { limitReading } from '../../apps/worker/src/mail/imap/reading-budget.js';
import { collectGarbage } from '#test/support/collect-garbage.js';
import { eventually } from '#test/support/eventually.js';
import { flood } from '#test/support/imap/flood.js';
import { ImapServer } from '#test/support/imap/server.js';
import { mailText } from '#test/support/mails.js';

const MAX_PAUSE_MS = 200;
const MAX_GROWTH_BYTES = 64 * 1024 * 1024;
const TOO_MUCH = 'The server sent too much in response to one command.';
const TOO_LATE = 'The server did not finish its response in time.';

const stops: (() => unknown)[] = [];
afterEach(() => Promise.all(stops.splice(0).map((stop) => stop())));

async function startServer(): Promise<ImapServer> {
  const server = await ImapServer.start();
  stops.push(() => server.stop());
  return server;
}

async function connectTo({ port }: { port: number }, limits?: Parameters<typeof limitReading>[1]): Promise<ImapFlow> {
  const auth = { user: 'ana', pass: 'right' };
  const client = new ImapFlow({ host: '127.0.0.1', port, secure: false, auth, logger: false });
  client.on('error', () => undefined);
  limitReading(client, limits);
  stops.push(() => client.close());
  await client.connect();
  return client;
}

/** Returns what `work` fails with, the longest pause of the event loop and the growth of the memory. */
async function observe(work: () => Promise<unknown>) {
  await collectGarbage();
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5);
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const fault: unknown = await work().then(
    () => null,
    (error: unknown) => error,
  );
  delays.disable();
  clearInterval(watch);
  return { fault, pauseMs: delays.max / 1e6, growth: peak - before };
}

const UIDS = `* SEARCH ${Array.from({ length: 8_000 }, (_, at) => 4_000_000 - at).join(' ')}\r\n`;

describe('an IMAP server that sends without end', () => {
  it.each<[string, string, string]>([
    ['short untagged lines', '', '* OK x\r\n'],
    ['mail counts', '', '* 1 EXISTS\r\n'],
    ['made-up tags', '', 'X1 OK x\r\n'],
    ['lines of UIDs', '', UIDS],
    ['one line of UIDs', '* SEARCH', ' 1234567'],
    ['mail bodies', '', `* 1 FETCH (UID 1 BODY[] {100000}\r\n${'x\r\n'.repeat(50_000).slice(0, 100_000)})\r\n`],
  ])('loses the connection with a reason, and holds up nothing: %s', async (_, beginning, text) => {
    const server = await startServer();
    const client = await connectTo(server);
    await client.mailboxOpen('INBOX', { readOnly: true });
    server.misdeed = (command, socket) => command === 'UID SEARCH' && (flood(socket, beginning, text), true);
    const { fault, pauseMs, growth } = await observe(() => client.search({ uid: '1:*' }, { uid: true }));

    expect(fault).toBeInstanceOf(ServerFlood);
    expect(fault).toMatchObject({ message: TOO_MUCH });
    expect(pauseMs).toBeLessThan(MAX_PAUSE_MS);
    expect(growth).toBeLessThan(MAX_GROWTH_BYTES);
    expect(await eventually(() => server.connections === 0)).toBe(true);
  });

  it.each(['responses', 'lineBytes', 'bytes'] as const)('is stopped by the limit of %s alone', async (what) => {
    const server = await startServer();
    const limits = { responses: 1e9, lineBytes: 1e9, bytes: 1e9, ms: 300_000, [what]: 5_000 };
    const client = await connectTo(server, limits);
    await client.mailboxOpen('INBOX', { readOnly: true });
    server.misdeed = (command, socket) => command === 'UID SEARCH' && (flood(socket, '', '* OK x\r\n'), true);

    await expect(client.search({ uid: '1:*' }, { uid: true })).rejects.toThrow(TOO_MUCH);
  });

  it('loses the connection with a reason when it drips lines for too long', async () => {
    const server = await startServer();
    const limits = { responses: 1_000_000, lineBytes: 1_000_000, bytes: 1_000_000, ms: 300 };
    const client = await connectTo(server, limits);
    await client.mailboxOpen('INBOX', { readOnly: true });
    server.misdeed = (command, socket) => {
      if (command !== 'UID SEARCH') return false;
      const drips = setInterval(() => socket.write('* OK wait\r\n'), 20);
      socket.on('close', () => clearInterval(drips));
      return true;
    };
    const { fault } = await observe(() => client.search({ uid: '1:*' }, { uid: true }));

    expect(fault).toBeInstanceOf(ServerFlood);
    expect(fault).toMatchObject({ message: TOO_LATE });
  });

  it('cannot put text between STARTTLS and TLS where the text is cut', async () => {
    const injected = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write('* OK [CAPABILITY IMAP4rev1 STARTTLS] ready\r\n');
      socket.on('data', (line) => {
        const [tag, command] = line.toString().trim().split(' ');
        const done = `${tag} OK done\r\n`;
        if (command !== 'STARTTLS') return socket.write(done);
        const padding = `* OK ${'x'.repeat(1024 - done.length - '* OK \r\n'.length)}\r\n`;
        return socket.write(`${padding}${done}* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\n`);
      });
    });
    await once(injected.listen(0, '127.0.0.1'), 'listening');
    stops.push(() => injected.close());

    await expect(connectTo(injected.address() as AddressInfo)).rejects.toMatchObject({ code: 'STARTTLS_INJECTION' });
  });
});

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('an honest IMAP server', () => {
  it('finds 20,000 emails, describes a hundred and sends one of 8 MB', async () => {
    const server = await startServer();
    const large = mailText({ From: 'ana@client.test' }, 'short line\r\n'.repeat(700_000));
    for (let count = 1; count < 20_000; count++) server.inbox.add(mailText({ From: 'ana@client.test' }));
    const uid = server.inbox.add(large);
    const folder = new ImapFolder(await connectTo(server), 'INBOX');
    await folder.open();
    const found = await folder.uidsAfter(0);
    const described = await all(folder.descriptions(found.slice(0, 100)));
    const { fault, pauseMs } = await observe(async () => {
      const pieces = await all(folder.whole(uid));
      expect(Buffer.concat(pieces).equals(Buffer.from(large))).toBe(true);
    });

    expect(found).toHaveLength(20_000);
    expect(described).toHaveLength(100);
    expect(fault).toBeNull();
    expect(pauseMs).toBeLessThan(MAX_PAUSE_MS);
  });
});
