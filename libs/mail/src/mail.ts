import type { Readable } from 'node:stream';
import type { MailboxSmtp } from '#libs/entities';
import type { Settings } from '#libs/settings';

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
  readonly automatic?: boolean;
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
