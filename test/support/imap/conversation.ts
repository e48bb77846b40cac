import type { Socket } from 'node:net';
import { type Folder, type StoredMail, envelopeOf, internalDateOf } from './folder.js';

/** Scripted behaviour of the server in place of its response, or nothing to answer. */
export type Misdeed = (command: string, socket: Socket) => boolean;

export interface Served {
  readonly folders: ReadonlyMap<string, Folder>;
  readonly commands: string[];
  readonly password: string;
  readonly accessToken: string;
  readonly misdeed: Misdeed;
}

const CAPABILITIES = 'IMAP4rev1 IDLE SASL-IR AUTH=XOAUTH2';

const unquoted = (text: string): string => text.replace(/^"(.*)"$/, '$1');

export class ImapConversation {
  private rest = '';
  private folder: Folder | undefined;
  private idling: { readonly tag: string; readonly stop: () => void } | undefined;

  constructor(
    private readonly server: Served,
    private readonly socket: Socket,
  ) {}

  begin({ greets = true } = {}): void {
    if (greets && this.server.misdeed('GREETING', this.socket)) return;
    if (greets) this.say(`* OK [CAPABILITY ${CAPABILITIES}] ready`);
    this.socket.on('data', (chunk) => {
      const lines = (this.rest + chunk.toString('latin1')).split('\r\n');
      this.rest = lines.pop()!;
      for (const line of lines) this.hear(line);
    });
    this.socket.on('close', () => this.idling?.stop());
  }

  private say(line: string): void {
    this.socket.write(`${line}\r\n`);
  }

  private hear(line: string): void {
    if (this.idling) return this.endIdle();
    const [, tag = '*', name = '', rest = ''] = /^(\S+) (UID \S+|\S+)(?: (.*))?$/i.exec(line) ?? [];
    const command = name.toUpperCase();
    this.server.commands.push(`${command} ${rest}`.trim());
    if (this.server.misdeed(command, this.socket)) return;
    const answer = this.answers[command];
    if (answer) answer(tag, rest);
    else this.say(`${tag} BAD unknown`);
  }

  private readonly answers: Readonly<Record<string, (tag: string, rest: string) => void>> = {
    CAPABILITY: (tag) => this.done(tag, `* CAPABILITY ${CAPABILITIES}`),
    LOGIN: (tag, rest) =>
      unquoted(rest.split(' ')[1] ?? '') === this.server.password
        ? this.done(tag)
        : this.say(`${tag} NO [AUTHENTICATIONFAILED] Invalid credentials`),
    AUTHENTICATE: (tag, rest) => {
      const said = Buffer.from(rest.split(' ')[1] ?? '', 'base64').toString();
      if (said.includes(`auth=Bearer ${this.server.accessToken}\u0001`)) this.done(tag);
      else this.say(`${tag} NO [AUTHENTICATIONFAILED] Invalid token`);
    },
    LIST: (tag, rest) =>
      this.done(tag, rest.endsWith('""') ? String.raw`* LIST (\Noselect) "/" ""` : '* LIST () "/" INBOX'),
    LSUB: (tag) => this.done(tag),
    NOOP: (tag) => this.done(tag, ...(this.folder ? [`* ${this.folder.mails.length} EXISTS`] : [])),
    CLOSE: (tag) => this.done(tag),
    LOGOUT: (tag) => {
      this.done(tag, '* BYE');
      this.socket.end();
    },
    SELECT: (tag, rest) => this.select(tag, rest),
    EXAMINE: (tag, rest) => this.select(tag, rest),
    IDLE: (tag) => this.idle(tag),
    'UID SEARCH': (tag, rest) => this.done(tag, `* SEARCH ${this.folder!.search(rest).join(' ')}`.trim()),
    'UID FETCH': (tag, rest) => this.fetch(tag, rest),
  };

  private done(tag: string, ...lines: string[]): void {
    for (const line of lines) this.say(line);
    this.say(`${tag} OK done`);
  }

  private select(tag: string, rest: string): void {
    this.folder = this.server.folders.get(unquoted(rest));
    if (!this.folder) return this.say(`${tag} NO no such folder`);
    const { mails, uidValidity, uidNext } = this.folder;
    const numbers = [`* OK [UIDVALIDITY ${uidValidity}]`, `* OK [UIDNEXT ${uidNext}]`];
    this.done(tag, String.raw`* FLAGS (\Seen)`, `* ${mails.length} EXISTS`, '* 0 RECENT', ...numbers);
  }

  private idle(tag: string): void {
    this.say('+ idling');
    const folder = this.folder!;
    const tell = () => this.say(`* ${folder.mails.length} EXISTS`);
    // Includes emails that arrived before the client began to wait.
    tell();
    this.idling = { tag, stop: folder.onMail(tell) };
  }

  private endIdle(): void {
    const { tag, stop } = this.idling!;
    stop();
    this.idling = undefined;
    this.done(tag);
  }

  private fetch(tag: string, rest: string): void {
    const [, range = '', wanted = ''] = /^(\S+) (.*)$/.exec(rest) ?? [];
    for (const mail of this.folder!.inRange(range)) this.sendMail(mail, wanted);
    this.done(tag);
  }

  private sendMail(mail: StoredMail, wanted: string): void {
    const [, from, length] = /BODY\.PEEK\[\]<(\d+)\.(\d+)>/i.exec(wanted) ?? [];
    const said = [`UID ${mail.uid}`];
    if (/RFC822\.SIZE/i.test(wanted)) said.push(`RFC822.SIZE ${mail.claimedSize ?? mail.raw.length}`);
    if (/INTERNALDATE/i.test(wanted)) said.push(`INTERNALDATE ${internalDateOf(mail)}`);
    if (/ENVELOPE/i.test(wanted)) said.push(`ENVELOPE ${envelopeOf(mail)}`);
    const place = this.folder!.mails.indexOf(mail) + 1;
    if (from === undefined) return this.say(`* ${place} FETCH (${said.join(' ')})`);
    const part = mail.raw.subarray(Number(from), Number(from) + Number(length));
    this.say(`* ${place} FETCH (${said.join(' ')} BODY[]<${from}> {${part.length}}`);
    this.socket.write(part);
    this.say(')');
  }
}
