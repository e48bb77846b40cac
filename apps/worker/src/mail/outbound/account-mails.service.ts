import { type IssuedLink, SingleUseLinksService, permissionsOf } from '#libs/access';
import { Clock } from '#libs/database';
import { type DisabledReason, isScope } from '#libs/entities';
import type { ClaimedMail, Mail, NothingToSend } from '#libs/mail';
import { Links } from '#libs/payloads';
import { parseUrl } from '#libs/settings';
import { Injectable } from '@nestjs/common';
import { HOUR_MS } from '../../durations.js';

/** A later email is not sent, because its link has expired. */
const MAX_WAIT_MS = HOUR_MS;

const REASON_SENTENCES: Readonly<Record<DisabledReason, string>> = {
  gone: 'The receiver responded with 410 Gone, which asks us to stop sending.',
  failing: 'All deliveries to it have failed for five days.',
  access_revoked: 'The agent who created it was archived.',
  operator: 'The operator of this installation disabled it.',
};

const ONLY_OPERATOR = 'Only the operator can enable it again.';
const NEXT_STEPS = 'If you still need the webhook, fix the cause, enable it, and replay the failed deliveries:';

/** Writes the emails to agents about their accounts. */
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
    if (!link) return { nothing: wanted ? 'The agent has already joined or was archived.' : 'The agent was archived.' };
    const waitedMs = this.clock.now().getTime() - queuedAt.getTime();
    if (link.purpose === 'password' && waitedMs > MAX_WAIT_MS)
      return { nothing: 'The request for a new password has expired.' };
    return { to: link.email, automatic: 'generated', ...textOf(link, `${this.links.base}${link.path}`) };
  }

  /** Describes the browser in our words, so an attacker cannot choose the text. */
  signInNotice({ recipient, account, detail, queuedAt }: ClaimedMail): Mail {
    const { device, address } = detail;
    return notice(recipient, `New sign-in to ${account}`, [
      `We noticed a sign-in to ${account} as ${recipient} from a new browser.`,
      `When: ${minuteOf(queuedAt.toISOString())}\nBrowser: ${device}\nIP address: ${address}`,
      'If this was you, you can ignore this email.',
      `If this was not you, change your password now. This signs out all other browsers:\n${this.links.base}/profile`,
      `If you cannot sign in, reset your password:\n${this.links.base}/forgot-password\n`,
    ]);
  }

  /** The maker chose the name of the application, so mail programs must not turn it into a link. */
  accessNotice({ recipient, account, detail }: ClaimedMail): Mail {
    const { agent, application = '', destination, scopes = '', until } = detail;
    const page = recipient === agent ? '/profile' : '/settings/applications';
    return notice(recipient, `An application was given access to ${account}`, [
      `${agent} gave the application “${withoutLinks(application)}” access to ${account}.`,
      `Permissions: ${permissionsOf(scopes.split(' ').filter(isScope))}\nExpires: ${until ? minuteOf(until) : 'never'}\nReturns to: ${destination}`,
      `If you did not expect this, revoke the access:\n${this.links.base}${page}\n`,
    ]);
  }

  /** Omits the path of the URL, since some receivers put secrets there. */
  webhookNotice({ recipient, account, detail }: ClaimedMail): Mail {
    const { webhook, event, url = '', reason, until } = detail;
    const events = `${event} events to ${parseUrl(url)?.host ?? url}`;
    const [change, ...sentences] = noticeText(reason as NoticeReason, events, until);
    return notice(recipient, `A webhook in ${account} ${change}`, [
      ...sentences,
      `${this.links.base}/settings/webhooks/${webhook}`,
      `You receive this because you are an owner or admin of ${account}.\n`,
    ]);
  }
}

function notice(to: string, subject: string, paragraphs: readonly string[]): Mail {
  return { to, automatic: 'generated', subject, text: paragraphs.join('\n\n') };
}

type NoticeReason = DisabledReason | 'warning' | 'recovered';

/** Begins with the end of the subject. */
function noticeText(reason: NoticeReason, events: string, until = ''): string[] {
  if (reason === 'recovered')
    return ['works again', `Deliveries of ${events} succeed again.`, 'The webhook stays enabled:'];
  if (reason === 'warning')
    return [
      'keeps failing',
      `Deliveries of ${events} keep failing.`,
      `If none succeeds until ${minuteOf(until)}, the webhook is disabled, and its pending deliveries are cancelled.`,
      'Fix the receiver or the URL, or pause the webhook:',
    ];
  return [
    'was disabled',
    `Deskwire no longer sends ${events}.`,
    REASON_SENTENCES[reason],
    `Pending deliveries were cancelled. ${reason === 'operator' ? ONLY_OPERATOR : NEXT_STEPS}`,
  ];
}

const minuteOf = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`;

const withoutLinks = (text: string): string => text.replaceAll(/[\p{C}\s.。．｡:/@]+/gu, ' ').trim();

const textOf = ({ purpose, account, email }: IssuedLink, address: string): Pick<Mail, 'subject' | 'text'> =>
  purpose === 'invitation'
    ? {
        subject: `You are invited to ${account} on Deskwire`,
        text: `You were invited to join the support team of ${account}.\n\nSet a password to join. The link expires in 7 days:\n${address}\n`,
      }
    : {
        subject: `Reset your password for ${account} on Deskwire`,
        text: `Someone asked to reset the password of ${email} at ${account}.\n\nTo set a new password, open this link within 1 hour:\n${address}\n\nIf this was not you, ignore this email. Your password stays the same.\n`,
      };
