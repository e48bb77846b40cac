import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { SmtpSender } from '#libs/mail';
import { readSettings } from '#libs/settings';
import { createLogger } from '#libs/telemetry';
import { afterEach, describe, expect, it } from 'vitest';

const DRIP_EVERY_MS = 20;
/** Allows many drips, far below the ten minutes of production. */
const LIMITS = { baseMs: 500, bytesPerSecond: 1024 * 1024, answerMs: 500 };
const MAIL = { to: 'ana@client.test', subject: 'Hello', text: 'It is on its way.' };

let server: Server | undefined;
afterEach(() => server?.close());

const END = '\r\n.\r\n';

type Step = 'greeting' | 'EHLO' | 'MAIL' | 'RCPT' | 'DATA' | 'end';

/** A mail server that accepts every command, but drips endless lines at one step. */
async function serverThatDrips(
  step: Step | null,
  onData: (socket: Socket) => unknown = () => undefined,
): Promise<string> {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    const answer = (at: Step, code: number): void => {
      if (at !== step) socket.write(`${code} yes\r\n`);
      else {
        const drips = setInterval(() => socket.write(`${code}-wait\r\n`), DRIP_EVERY_MS);
        socket.on('close', () => clearInterval(drips));
      }
    };
    let isData = false;
    let tail = '';
    answer('greeting', 220);
    socket.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1');
      const command = (['EHLO', 'MAIL', 'RCPT', 'DATA'] as const).find((one) => text.startsWith(one));
      if (isData) {
        tail = (tail + text).slice(-END.length);
        if (tail === END) answer('end', 250);
      } else if (command) {
        answer(command, command === 'DATA' ? 354 : 250);
        isData = command === 'DATA';
        if (isData) onData(socket);
      }
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function send(url: string, mail: Parameters<SmtpSender['send']>[0] = MAIL, beforeEnd?: () => Promise<unknown>) {
  const settings = readSettings({ NODE_ENV: 'test', DATABASE_URL: 'postgres://none.test/none', SMTP_URL: url });
  const sender = new SmtpSender(settings, createLogger('tests', 'silent'), LIMITS);
  let handedOver = false;
  const mayHandOver = async (): Promise<boolean> => {
    await beforeEnd?.();
    return (handedOver = true);
  };
  const outcome = await sender.send(mail, { mayHandOver, signal: new AbortController().signal });
  return { outcome, handedOver };
}

describe('a slow mail server', { tags: ['long'] }, () => {
  it.each<Step>(['greeting', 'EHLO', 'MAIL', 'RCPT', 'DATA'])(
    'postpones the mail when it drips its answer at %s',
    async (step) => {
      const { outcome, handedOver } = await send(await serverThatDrips(step));

      expect(outcome).toMatchObject({
        result: 'postponed',
        reason: expect.stringContaining('did not accept the email'),
      });
      expect(handedOver).toBe(false);
    },
  );

  it('makes the mail unsure when it drips its answer after the end', async () => {
    const { outcome, handedOver } = await send(await serverThatDrips('end'));

    expect(outcome).toMatchObject({ result: 'unsure' });
    expect(handedOver).toBe(true);
  });

  it('gets more time than the limit for a large mail', async () => {
    const pieces = Array.from({ length: 200 }, () => randomBytes(64 * 1024));
    const open = () => Promise.resolve(Readable.from(pieces));
    const file = { name: 'a.bin', type: 'application/octet-stream', open };
    const started = performance.now();
    const url = await serverThatDrips(null, (socket) => {
      socket.pause();
      void pause(2 * LIMITS.baseMs).then(() => socket.resume());
    });
    const { outcome } = await send(url, { ...MAIL, files: [file] });

    expect(outcome).toEqual({ result: 'sent' });
    expect(performance.now() - started).toBeGreaterThan(2 * LIMITS.baseMs);
  });
});

it('never marks an email as unsure if the connection ended first, even when that is detected late', async () => {
  let connection: Socket;
  const url = await serverThatDrips(null, (socket) => (connection = socket));
  const { outcome } = await send(url, MAIL, async () => {
    connection.destroy();
    await once(connection, 'close');
  });

  expect(outcome).toMatchObject({ result: 'postponed' });
});
