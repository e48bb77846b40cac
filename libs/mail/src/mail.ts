import type { Readable } from 'node:stream';
import type { MailServer } from './mail-server.js';

export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

export interface MailFile {
  readonly name: string;
  readonly type: string;
  /** Read when its turn comes, piece by piece. */
  readonly open: () => Promise<Readable>;
}

/** A mail as it is sent. */
export interface Mail {
  /** SMTP_URL, if absent. */
  readonly server?: MailServer;
  /** MAIL_FROM, if absent. */
  readonly from?: MailAddress;
  /** The address in the To header. */
  readonly to: string;
  readonly cc?: readonly string[];
  /** The recipient of this mail, if not `to`: each address in `cc` gets a mail of its own. */
  readonly recipient?: string;
  /** Where an answer goes, when not to the sender. */
  readonly replyTo?: string;
  /** Where servers report what they could not deliver, when not to the sender. */
  readonly returnPath?: string;
  /** Without the signs around it. */
  readonly mailId?: string;
  /** The mails before it in its thread, the oldest first. */
  readonly ancestors?: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html?: string | undefined;
  readonly files?: readonly MailFile[];
  /** Written by a program, for a person: nobody’s program should answer it. */
  readonly automatic?: boolean;
}

/** Why no mail can be written any more. */
export interface NothingToSend {
  readonly nothing: string;
}
