import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { eventually } from './eventually.js';

export interface ReceivedMail {
  readonly from: string;
  readonly to: string;
  readonly raw: string;
  readonly parsed: Email;
}

/** The treatment of an email: at RCPT, during its data, and after its end. */
export type Answer =
  | 'take'
  | { readonly refuseRecipient: string }
  | { readonly refuse: string }
  /** RCPT gets no response. */
  | 'silent at the recipient'
  /** The connection ends without a response after the whole email. */
  | 'cut after the end'
  | 'silent after the end'
  /** Reads no more until `letGo`, and then accepts the mail. */
  | 'hold';

export interface SignIn {
  readonly user: string;
  readonly password: string;
}

interface Script {
  /** One per mail, in order; all later emails are accepted. */
  readonly answers?: readonly Answer[];
  readonly port?: number;
  /** The required login, over TLS with this certificate. */
  readonly signIn?: SignIn & { readonly key: string; readonly cert: string };
  /** TLS from the first byte, and no STARTTLS. */
  readonly implicitTls?: boolean;
}

/** The mail server of the product, with scripted answers. */
export class NextHop {
  readonly taken: ReceivedMail[] = [];
  /** Emails received completely, whatever the response. */
  readonly ended: string[] = [];
  holding = 0;
  signIns = 0;
  url = '';
  private readonly answers: Answer[];
  private readonly server: SMTPServer;
  private letGoAll: () => void = () => undefined;
  private readonly released: Promise<void>;

  private constructor(answers: readonly Answer[], { signIn, implicitTls = false }: Script) {
    this.answers = [...answers];
    this.released = new Promise((resolve) => {
      this.letGoAll = resolve;
    });
    this.server = new SMTPServer({
      ...(signIn ? { key: signIn.key, cert: signIn.cert } : { disabledCommands: ['AUTH', 'STARTTLS'] }),
      secure: implicitTls,
      authOptional: signIn === undefined,
      onAuth: ({ username, password }, _, done) => {
        this.signIns += 1;
        if (username === signIn?.user && password === signIn?.password) done(null, { user: username });
        else done(new Error('Wrong password'));
      },
      disableReverseLookup: true,
      closeTimeout: 100,
      onRcptTo: (_, __, done) => this.atRecipient(done),
      onData: (stream, session, done) => {
        const { mailFrom, rcptTo } = session.envelope;
        const envelope = { from: mailFrom ? mailFrom.address : '', to: rcptTo[0]?.address ?? '' };
        void this.hear(stream, envelope, done);
      },
    });
    this.server.on('error', () => undefined);
  }

  static async start({ answers = [], port = 0, ...script }: Script = {}): Promise<NextHop> {
    const hop = new NextHop(answers, script);
    await new Promise<void>((resolve) => {
      hop.server.listen(port, '127.0.0.1', resolve);
    });
    hop.url = `smtp://127.0.0.1:${(hop.server.server.address() as AddressInfo).port}`;
    return hop;
  }

  /** Adds answers for later emails, after the scripted ones. */
  answer(...answers: readonly Answer[]): void {
    this.answers.push(...answers);
  }

  letGo(): void {
    this.letGoAll();
  }

  get connections(): number {
    return this.server.connections.size;
  }

  mailTo(email: string): Promise<ReceivedMail> {
    return eventually(() => this.taken.find(({ to }) => to === email), { withinMs: 20_000 });
  }

  async stop(): Promise<void> {
    this.letGo();
    await new Promise<void>((resolve) => {
      this.server.close(resolve);
    });
  }

  private atRecipient(done: (refused?: Error | null) => void): void {
    const [next] = this.answers;
    if (next === 'silent at the recipient') return void this.answers.shift();
    if (typeof next !== 'object' || !('refuseRecipient' in next)) return done();
    this.answers.shift();
    return done(refusal(next.refuseRecipient));
  }

  /** A sender that is cut off gets no response. */
  private async hear(
    stream: Readable,
    envelope: { from: string; to: string },
    done: (error?: Error | null) => void,
  ): Promise<void> {
    const answer = await this.receive(stream, envelope).catch(() => undefined);
    if (answer !== undefined) done(answer);
  }

  private async receive(stream: Readable, envelope: { from: string; to: string }): Promise<Error | null> {
    const answer = this.answers.shift() ?? 'take';
    if (answer === 'hold') {
      this.holding += 1;
      await this.released;
    }
    const raw = Buffer.concat(await stream.toArray()).toString();
    this.ended.push(envelope.to);
    if (answer === 'silent after the end') await new Promise(() => undefined);
    if (answer === 'cut after the end') this.cutAll();
    if (typeof answer === 'object') return refusal('refuse' in answer ? answer.refuse : '550 no');
    this.taken.push({ ...envelope, raw, parsed: await PostalMime.parse(raw) });
    return null;
  }

  private cutAll(): never {
    for (const connection of this.server.connections)
      // oxlint-disable-next-line no-underscore-dangle
      (connection as unknown as { _socket: { destroy(): void } })._socket.destroy();
    throw new Error('cut');
  }
}

function refusal(text: string): Error {
  const [code = '550', ...words] = text.split(' ');
  return Object.assign(new Error(words.join(' ')), { responseCode: Number(code) });
}
