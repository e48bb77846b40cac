import type { Socket } from 'node:net';
import { MailEnding } from './mail-ending.js';
import type { Stage, Trouble } from './trouble.js';

/** A sender that gets no answer for this long finds the connection closed. */
const SILENCE_MS = 4_000;
/** Bytes of an email that pass before the connection is cut. */
const BODY_BYTES = 300;

const STAGES: Readonly<Record<string, Stage>> = { MAIL: 'mail', RCPT: 'rcpt', DATA: 'data' };

type Awaited = 'greeting' | 'mail' | 'rcpt' | 'data' | 'end' | 'other';

/**
 * One connection of a sender to a mail server, with one failure or none. Answers keep their order, also for pipelined
 * commands.
 */
export class TroubledConversation {
  private readonly awaited: { readonly what: Awaited; readonly instead: string | null }[] = [];
  private unread: Buffer = Buffer.alloc(0);
  private unanswered = '';
  private ending: MailEnding | null = null;
  private isDeaf = false;
  private recipient = '';

  constructor(
    private readonly sender: Socket,
    private readonly server: Socket,
    private readonly trouble: Trouble | null,
    /** Called for an email whose end was sent without an answer. */
    private readonly unheard: (mailId: string | null, recipient: string) => void,
  ) {
    if (this.meets('greeting')) return;
    this.awaited.push({ what: 'greeting', instead: null });
    sender.on('data', (chunk: Buffer) => this.hear(chunk));
    server.on('data', (chunk: Buffer) => this.answer(chunk));
    sender.on('close', () => this.closed());
    server.on('close', () => !this.isDeaf && this.trouble?.stage !== 'body' && sender.destroy());
  }

  private closed(): void {
    this.server.destroy();
    if (this.awaited.some(({ what }) => what === 'end')) this.unheard(this.ending?.id ?? null, this.recipient);
    this.awaited.length = 0;
  }

  private hear(chunk: Buffer): void {
    if (this.isDeaf) return;
    this.unread = Buffer.concat([this.unread, chunk]);
    while (this.unread.length > 0 && !this.isDeaf) if (!(this.ending ? this.hearMail() : this.hearLine())) return;
  }

  private hearLine(): boolean {
    const end = this.unread.indexOf('\n');
    if (end < 0) return false;
    const line = this.unread.subarray(0, end + 1);
    this.unread = this.unread.subarray(end + 1);
    this.recipient = /^RCPT TO:<([^>]*)>/i.exec(line.toString())?.[1] ?? this.recipient;
    const stage = STAGES[line.subarray(0, 4).toString().toUpperCase()];
    if (stage && this.meets(stage)) return true;
    this.awaited.push({ what: (stage as Awaited | undefined) ?? 'other', instead: null });
    this.server.write(line);
    return true;
  }

  private hearMail(): boolean {
    const { passing, behind } = this.ending!.take(this.unread);
    this.unread = behind ?? Buffer.alloc(0);
    if (this.trouble?.stage === 'body') return this.endInTheMiddle(passing, behind !== null);
    this.server.write(passing);
    if (behind !== null) this.endMail();
    return behind !== null;
  }

  /** The sender may have sent the end before it notices the cut. */
  private endInTheMiddle(passing: Buffer, isEnd: boolean): boolean {
    if (!this.server.writableEnded) this.server.end(passing.subarray(0, BODY_BYTES));
    this.sender.end();
    if (isEnd) this.unheard(this.ending!.id, this.recipient);
    if (isEnd) this.cut();
    return false;
  }

  private endMail(): void {
    const { trouble, ending } = this;
    if (trouble?.stage === 'end' && !trouble.isKept) {
      const isAnswer = trouble.says !== 'silence' && trouble.says !== 'cut';
      if (!isAnswer) this.unheard(ending!.id, this.recipient);
      this.meets('end');
      return void this.server.destroy();
    }
    this.server.write(ending!.end);
    this.awaited.push({ what: 'end', instead: null });
  }

  private answer(chunk: Buffer): void {
    this.unanswered += chunk.toString('latin1');
    for (let end = wholeAnswer(this.unanswered); end > 0; end = wholeAnswer(this.unanswered)) {
      const text = this.unanswered.slice(0, end);
      this.unanswered = this.unanswered.slice(end);
      this.pass(text);
    }
  }

  private pass(text: string): void {
    const { what } = this.awaited.shift() ?? { what: 'other' };
    if (what === 'end' && this.trouble?.stage === 'end') {
      this.unheard(this.ending!.id, this.recipient);
      return void this.meets('end');
    }
    if (!this.isDeaf) this.sender.write(text, 'latin1');
    if (what === 'data' && text.startsWith('354')) this.ending = new MailEnding();
    if (what === 'end') this.ending = null;
    this.passInjected();
  }

  /** Returns whether the connection fails here. Later input is ignored. */
  private meets(stage: Stage): boolean {
    if (this.trouble?.stage !== stage) return false;
    const { says } = this.trouble;
    if (says === 'cut') this.cut();
    else if (says === 'silence') this.fallSilent();
    else {
      this.awaited.push({ what: 'other', instead: says });
      this.passInjected();
    }
    return true;
  }

  /** A replaced answer waits for the earlier ones. */
  private passInjected(): void {
    const instead = this.awaited[0]?.instead;
    if (typeof instead !== 'string') return;
    this.isDeaf = true;
    this.awaited.length = 0;
    this.sender.end(`${instead}\r\n`);
    this.server.destroy();
  }

  private fallSilent(): void {
    this.isDeaf = true;
    this.awaited.length = 0;
    this.server.destroy();
    this.sender.setTimeout(SILENCE_MS, () => this.sender.destroy());
  }

  private cut(): void {
    this.isDeaf = true;
    this.awaited.length = 0;
    this.sender.destroy();
    this.server.destroy();
  }
}

/** The end of the first answer: after the line with a space behind its code. */
function wholeAnswer(text: string): number {
  const found = /^\d{3}(?: [^\n]*)?\r?\n/m.exec(text);
  return found ? found.index + found[0].length : 0;
}
