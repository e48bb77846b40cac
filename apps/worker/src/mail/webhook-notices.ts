import { systemStatement } from '#libs/database';
import type { DisabledReason } from '#libs/entities';
import type { Mail } from '#libs/mail';
import type { Links } from '#libs/payloads';
import { type ClaimedMail, type MailKind, afterClaim } from './mail-kind.js';

const REASON = 'Mail about webhooks that were switched off goes to people of every account';

interface WebhookNotice extends ClaimedMail {
  readonly account: string;
  readonly webhookId: string;
  readonly email: string;
  readonly event: string;
  readonly url: string;
  readonly reason: DisabledReason;
}

/**
 * What the owner and the admins of an account hear when a webhook of theirs is disabled, each person at most once: a
 * worker that dies after the claim may have sent the mail. The notice is written in the commit that disables the
 * webhook, so no crash loses it.
 */
export const WEBHOOK_NOTICES: MailKind<WebhookNotice> = {
  pollMs: 10_000,
  claim: systemStatement(
    'notice_claim',
    REASON,
    `update webhook_notices n set claimed_at = $1, tries = tries + 1 where id = any(array(
       select id from webhook_notices where claimed_at is null and due_at <= $1 order by due_at limit 10 for update skip locked))
     returning id, webhook_id as "webhookId", email, event, url, reason, tries, created_at as "createdAt",
       (select name from accounts a where a.id = n.account_id) as account`,
  ),
  ...afterClaim('webhook_notices', 'id', REASON),
  compose: noticeMail,
  report: (telemetry, { webhookId }, result) => telemetry.noticeSent(webhookId, result),
};

const REASON_SENTENCES: Readonly<Record<DisabledReason, string>> = {
  gone: 'The receiver answered 410 Gone, which says that it never wants to be called again.',
  failing: 'Every delivery to it has failed for five days.',
  access_revoked: 'The access of the application that made it was revoked.',
  operator: 'The operator of this installation switched it off.',
};

/** Leaves out the path of the URL, because some receivers put secrets there. */
function noticeMail({ email, account, event, url, reason, webhookId }: WebhookNotice, links: Links): Mail {
  const host = URL.canParse(url) ? new URL(url).host : url;
  return {
    to: email,
    subject: `A webhook of ${account} was disabled`,
    text: [
      `Deskwire no longer sends ${event} to ${host}.`,
      REASON_SENTENCES[reason],
      'What was still waiting to be sent to it was cancelled. Fix the receiver, resume the webhook, and replay what it missed:',
      `${links.base}/settings/webhooks/${webhookId}`,
      `You get this because you are an owner or admin of ${account}.\n`,
    ].join('\n\n'),
  };
}
