import { Readable } from 'node:stream';
import type { CaughtMail, MailboxSmtp } from '#libs/entities';
import type { Settings } from '#libs/settings';
import type { SendMailOptions } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer';

/** Its owner chose the host, so connections are guarded. */
export interface MailServer extends Pick<MailboxSmtp, 'host' | 'port' | 'security'> {
  readonly user: { readonly name: string; readonly password: string } | null;
}

export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

export interface MailFile {
  readonly name: string;
  readonly type: string;
  readonly open: () => Promise<Readable>;
}

export interface Mail {
  /** Defaults to SMTP_URL. */
  readonly server?: MailServer;
  /** Defaults to MAIL_FROM. */
  readonly from?: MailAddress;
  readonly to: string;
  readonly cc?: readonly string[];
  /** Defaults to `to`. Each address in `cc` gets its own mail. */
  readonly recipient?: string;
  /** Defaults to the sender. */
  readonly replyTo?: string;
  /** For delivery reports. Defaults to the sender. */
  readonly returnPath?: string;
  /** Without angle brackets. */
  readonly mailId?: string;
  /** Message-IDs, oldest first. */
  readonly ancestors?: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html?: string | undefined;
  readonly files?: readonly MailFile[];
  /** Asks programs not to reply. */
  readonly automatic?: 'generated' | 'replied' | undefined;
}

/** The mail as a trial shows it. */
export function caughtMail(mail: Mail, installation: string): CaughtMail {
  const { from, replyTo = null, to, cc = [], mailId = null, subject, text, files = [] } = mail;
  const sender = from ? `${from.name} <${from.address}>` : installation;
  return { from: sender, replyTo, to, cc, mailId, subject, text, files: files.map(({ name }) => name) };
}

export interface NothingToSend {
  readonly nothing: string;
}

/** `caught`: kept in the database of a trial. */
export type MailRoute = 'smtp' | 'caught' | 'none';

export function mailRoute({ SMTP_URL, CATCH_MAIL }: Pick<Settings, 'SMTP_URL' | 'CATCH_MAIL'>): MailRoute {
  if (SMTP_URL !== undefined) return 'smtp';
  return CATCH_MAIL ? 'caught' : 'none';
}

/** Nodemailer encodes names and subjects, so that they cannot inject headers. */
export function contentOf(mail: Mail, installation: string): SendMailOptions {
  const { from = installation, to, cc = [], recipient = to, replyTo, returnPath, mailId, ancestors = [] } = mail;
  const { subject, text, html, files = [], automatic } = mail;
  return {
    from,
    to: { name: '', address: to },
    ...(cc.length > 0 && { cc: cc.map((address) => ({ name: '', address })) }),
    envelope: { from: returnPath ?? (typeof from === 'string' ? from : from.address), to: recipient },
    subject,
    text,
    ...(html !== undefined && { html }),
    ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
    ...(mailId !== undefined && { messageId: `<${mailId}>` }),
    ...(ancestors.length > 0 && { inReplyTo: `<${ancestors.at(-1)}>`, references: ancestors.map((id) => `<${id}>`) }),
    attachments: files.map((file) => ({ filename: file.name, contentType: file.type, content: readWhenNeeded(file) })),
    ...(automatic === 'generated' && {
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    }),
    // The other header would suppress bounces of the reply.
    ...(automatic === 'replied' && { headers: { 'Auto-Submitted': 'auto-replied' } }),
  };
}

export const rawMail = (mail: Mail & Required<Pick<Mail, 'from'>>): Promise<Buffer> =>
  new MailComposer({ ...contentOf(mail, ''), disableFileAccess: true, disableUrlAccess: true }).compile().build();

const readWhenNeeded = ({ open }: MailFile): Readable =>
  Readable.from(
    (async function* () {
      yield* await open();
    })(),
    { objectMode: false },
  );
