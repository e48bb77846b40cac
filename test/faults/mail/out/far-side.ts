import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { SMTPServer } from 'smtp-server';
import type { SeededChoices } from '#test/support/seeded-choices.js';
import { mailKey } from './mail-key.js';

/** Percentages of recipients that are rejected as unknown, and deferred, when Postfix asks. */
const PERCENT = { unknown: 3, later: 3 };

/** The final destination of mail. Counts emails by the id in the header and the recipient, with their text. */
export class FarSide {
  readonly arrived = new Map<string, string[]>();
  refused = 0;
  private isCalm = false;
  private readonly server: SMTPServer;

  private constructor(lmtp: boolean, choices: SeededChoices) {
    this.server = new SMTPServer({
      lmtp,
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      closeTimeout: 100,
      onRcptTo: (_, __, done) => done(lmtp ? this.refusal(choices.between(0, 100)) : null),
      onData: (stream, { envelope }, done) =>
        void this.keep(
          stream,
          envelope.rcptTo.map(({ address }) => address),
          done,
        ),
    });
    this.server.on('error', () => undefined);
  }

  /** Speaks LMTP, like a server behind a mail server, and refuses some recipients; or SMTP, and accepts everything. */
  static async start(protocol: 'smtp' | 'lmtp', choices: SeededChoices): Promise<FarSide> {
    const side = new FarSide(protocol === 'lmtp', choices);
    await new Promise<void>((resolve) => {
      side.server.listen(0, '127.0.0.1', resolve);
    });
    return side;
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port;
  }

  calm(): void {
    this.isCalm = true;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
    });
  }

  private refusal(drawn: number): Error | null {
    if (this.isCalm || drawn > PERCENT.unknown + PERCENT.later) return null;
    if (drawn > PERCENT.unknown) return Object.assign(new Error('4.2.0 Later'), { responseCode: 451 });
    this.refused += 1;
    return Object.assign(new Error('5.1.1 No such person'), { responseCode: 550 });
  }

  /** A sender that is cut off has sent nothing, and gets no answer. */
  private async keep(stream: Readable, recipients: readonly string[], done: () => void): Promise<void> {
    const pieces = await stream.toArray().catch(() => null);
    if (!pieces) return;
    const raw = Buffer.concat(pieces).toString('latin1');
    const id = /^message-id:\s*<([^@>]+)@/im.exec(raw)?.[1] ?? 'none';
    const mark = /mark-\d+-end/.exec(raw)?.[0] ?? 'none';
    for (const recipient of recipients) {
      const key = mailKey(id, recipient);
      this.arrived.set(key, [...(this.arrived.get(key) ?? []), mark]);
    }
    done();
  }
}
