import type { DisabledReason } from '#libs/entities';
import type { ClaimedMail, Mail } from '#libs/mail';
import type { Links } from '#libs/payloads';

const REASON_SENTENCES: Readonly<Record<DisabledReason, string>> = {
  gone: 'The receiver answered 410 Gone, which says that it never wants to be called again.',
  failing: 'Every delivery to it has failed for five days.',
  access_revoked: 'The access of the application that made it was revoked.',
  operator: 'The operator of this installation switched it off.',
};

/**
 * What the owner and the admins of an account hear when a webhook of theirs is disabled. Leaves out the path of the URL,
 * because some receivers put secrets there.
 */
export function webhookNotice({ recipient, account, detail }: ClaimedMail, links: Links): Mail {
  const { webhook, event, url = '', reason } = detail;
  const host = URL.canParse(url) ? new URL(url).host : url;
  return {
    to: recipient,
    automatic: true,
    subject: `A webhook of ${account} was disabled`,
    text: [
      `Deskwire no longer sends ${event} to ${host}.`,
      REASON_SENTENCES[reason as DisabledReason],
      'What was still waiting to be sent to it was cancelled. Fix the receiver, resume the webhook, and replay what it missed:',
      `${links.base}/settings/webhooks/${webhook}`,
      `You get this because you are an owner or admin of ${account}.\n`,
    ].join('\n\n'),
  };
}
