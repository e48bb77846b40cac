import { type IssuedLink, SingleUseLinksService } from '#libs/access';
import { Clock } from '#libs/database';
import type { ClaimedMail, Mail, NothingToSend } from '#libs/mail';
import { Links } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import { HOUR_MS } from '../../durations.js';

/** A later mail is not sent, because its link has expired. */
const MAX_WAIT_MS = HOUR_MS;

@Injectable()
export class LinkMailsService {
  constructor(
    private readonly singleUseLinks: SingleUseLinksService,
    private readonly links: Links,
    private readonly clock: Clock,
  ) {}

  /** Issues a new link for each attempt, so that none is stored. One round trip. */
  async write({ accountId, detail, queuedAt }: ClaimedMail): Promise<Mail | NothingToSend> {
    const link = await this.singleUseLinks.issue(accountId, detail['agent']!);
    if (!link) return { nothing: 'The agent was archived.' };
    const waitedMs = this.clock.now().getTime() - queuedAt.getTime();
    if (link.purpose === 'password' && waitedMs > MAX_WAIT_MS)
      return { nothing: 'Nobody waits for a new password any more.' };
    return { to: link.email, automatic: true, ...textOf(link, `${this.links.base}${link.path}`) };
  }
}

const textOf = ({ purpose, account, email }: IssuedLink, address: string): Pick<Mail, 'subject' | 'text'> =>
  purpose === 'invitation'
    ? {
        subject: `You are invited to ${account} on Deskwire`,
        text: `You were invited to answer tickets of ${account}.\n\nSet a password and join within a week:\n${address}\n`,
      }
    : {
        subject: `A new password for ${account} on Deskwire`,
        text: `Somebody, probably you, asked for a new password for ${email} at ${account}.\n\nSet it within an hour:\n${address}\n\nIf it was not you, do nothing: the old password stays.\n`,
      };
