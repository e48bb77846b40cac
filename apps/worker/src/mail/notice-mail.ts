import type { DisabledReason } from '#libs/entities';
import type { Mail } from '#libs/mail';
import type { Links } from '#libs/payloads';

export interface WebhookNotice {
  readonly id: string;
  readonly account: string;
  readonly webhookId: string;
  readonly email: string;
  readonly event: string;
  readonly url: string;
  readonly reason: DisabledReason;
  readonly tries: number;
  readonly createdAt: Date;
}

const REASON_SENTENCES: Readonly<Record<DisabledReason, string>> = {
  gone: 'The receiver answered 410 Gone, which says that it never wants to be called again.',
  failing: 'Every delivery to it has failed for five days.',
  access_revoked: 'The access of the application that made it was revoked.',
  operator: 'The operator of this installation switched it off.',
};

/** Leaves out the path of the URL, because some receivers put secrets there. */
export function noticeMail({ email, account, event, url, reason, webhookId }: WebhookNotice, links: Links): Mail {
  const host = URL.canParse(url) ? new URL(url).host : url;
  return {
    to: email,
    subject: `A webhook of ${account} was disabled`,
    text: [
      `Deskwire no longer sends ${event} to ${host}.`,
      REASON_SENTENCES[reason],
      'What was still waiting to be sent to it was cancelled. Mend the receiver, resume the webhook, and replay what it missed:',
      `${links.base}/settings/webhooks/${webhookId}`,
      `You get this because you are an owner or admin of ${account}.\n`,
    ].join('\n\n'),
  };
}
