import { type IssuedLink, SingleUseLinksService } from '#libs/access';
import { Clock } from '#libs/database';
import type { DisabledReason } from '#libs/entities';
import type { ClaimedMail, Mail, NothingToSend } from '#libs/mail';
import { Links } from '#libs/payloads';
import { parseUrl } from '#libs/settings';
import { Injectable } from '@nestjs/common';
import { HOUR_MS } from '../../durations.js';

/** A later mail is not sent, because its link has expired. */
const MAX_WAIT_MS = HOUR_MS;

const REASON_SENTENCES: Readonly<Record<DisabledReason, string>> = {
  gone: 'The receiver answered 410 Gone, which says that it never wants to be called again.',
  failing: 'Every delivery to it has failed for five days.',
  access_revoked: 'The agent who made it was archived.',
  operator: 'The operator of this installation switched it off.',
};

/** Writes the mails to agents about their accounts. */
@Injectable()
export class AccountMailsService {
  constructor(
    private readonly singleUseLinks: SingleUseLinksService,
    private readonly links: Links,
    private readonly clock: Clock,
  ) {}

  /** Issues a new link for each attempt, so that none is stored. One round trip. */
  async link({ accountId, detail, queuedAt }: ClaimedMail): Promise<Mail | NothingToSend> {
    const wanted = detail['purpose'] as IssuedLink['purpose'] | undefined;
    const link = await this.singleUseLinks.issue(accountId, detail['agent']!, wanted);
    if (!link) return { nothing: wanted ? 'The agent has joined or was archived.' : 'The agent was archived.' };
    const waitedMs = this.clock.now().getTime() - queuedAt.getTime();
    if (link.purpose === 'password' && waitedMs > MAX_WAIT_MS)
      return { nothing: 'Nobody waits for a new password any more.' };
    return { to: link.email, automatic: 'generated', ...textOf(link, `${this.links.base}${link.path}`) };
  }

  /** Describes the browser in our words, so an attacker cannot choose the text. */
  signInNotice({ recipient, account, detail, queuedAt }: ClaimedMail): Mail {
    const { device, address } = detail;
    return {
      to: recipient,
      automatic: 'generated',
      subject: `A new browser signed in to ${account}`,
      text: [
        `Somebody signed in as ${recipient} at ${account} with a browser that you had not used before.`,
        `When: ${queuedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC\nBrowser: ${device}\nAddress: ${address}`,
        'If it was you, there is nothing to do.',
        `If it was not you, change your password now, which signs out every other browser:\n${this.links.base}/profile`,
        `If you can no longer sign in, ask for a new password:\n${this.links.base}/forgot-password\n`,
      ].join('\n\n'),
    };
  }

  /** Omits the path of the URL, since some receivers put secrets there. */
  webhookNotice({ recipient, account, detail }: ClaimedMail): Mail {
    const { webhook, event, url = '', reason } = detail;
    const host = parseUrl(url)?.host ?? url;
    return {
      to: recipient,
      automatic: 'generated',
      subject: `A webhook of ${account} was disabled`,
      text: [
        `Deskwire no longer sends ${event} to ${host}.`,
        REASON_SENTENCES[reason as DisabledReason],
        'What was still waiting to be sent to it was cancelled. If you still need it, remove the cause, resume the webhook, and replay what it missed:',
        `${this.links.base}/settings/webhooks/${webhook}`,
        `You get this because you are an owner or admin of ${account}.\n`,
      ].join('\n\n'),
    };
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
