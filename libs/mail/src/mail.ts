import type { Readable } from 'node:stream';
import type { MailboxSmtp } from '#libs/entities';
import type { Settings } from '#libs/settings';

/** The mail server of a mailbox. Its owner chose the host, so connections to it are guarded. */
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
  /** Called when the file is sent; the content is streamed. */
  readonly open: () => Promise<Readable>;
}

/** A mail as it is sent. */
export interface Mail {
  /** Defaults to SMTP_URL. */
  readonly server?: MailServer;
  /** Defaults to MAIL_FROM. */
  readonly from?: MailAddress;
  /** The address in the To header. */
  readonly to: string;
  readonly cc?: readonly string[];
  /** Defaults to `to`. Each address in `cc` gets a mail of its own. */
  readonly recipient?: string;
  /** Defaults to the sender. */
  readonly replyTo?: string;
  /** Where servers send delivery reports. Defaults to the sender. */
  readonly returnPath?: string;
  /** Message-ID without angle brackets. */
  readonly mailId?: string;
  /** Message-IDs of the thread, oldest first. */
  readonly ancestors?: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html?: string | undefined;
  readonly files?: readonly MailFile[];
  /** Asks programs not to reply. */
  readonly automatic?: boolean;
}

/** Why no mail is sent. */
export interface NothingToSend {
  readonly nothing: string;
}

/** Where mail of this installation goes: to a mail server, into the database of a trial, or nowhere. Pages and the API derive from it. */
export type MailRoute = 'smtp' | 'caught' | 'none';

export function mailRoute({ SMTP_URL, CATCH_MAIL }: Pick<Settings, 'SMTP_URL' | 'CATCH_MAIL'>): MailRoute {
  if (SMTP_URL !== undefined) return 'smtp';
  return CATCH_MAIL ? 'caught' : 'none';
}
