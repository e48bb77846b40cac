import { systemStatement } from '#libs/database';
import type { Mail } from '#libs/mail';
import type { Links } from '#libs/payloads';
import { type ClaimedMail, type MailKind, afterClaim } from './mail-kind.js';

const REASON = 'Mail about sign-ins goes to people of every account';

interface SignInNotice extends ClaimedMail {
  readonly account: string;
  readonly email: string;
  readonly device: string;
  readonly address: string;
}

/**
 * What agents hear of a sign-in with a browser that is new for them, at most once: a worker that dies after the claim
 * may have sent the mail. The notice is written in the commit that opens the session, so no crash loses it.
 */
export const SIGN_IN_NOTICES: MailKind<SignInNotice> = {
  pollMs: 10_000,
  claim: systemStatement(
    'sign_in_notice_claim',
    REASON,
    `with claimed as (
       update sign_in_notices set claimed_at = $1, tries = tries + 1 where id = any(array(
         select id from sign_in_notices where claimed_at is null and due_at <= $1
         order by due_at limit 10 for update skip locked))
       returning id, account_id, agent_id, device, address, tries, created_at
     )
     select claimed.id, device, address, tries, claimed.created_at as "createdAt",
       (select email from agents a where a.id = claimed.agent_id),
       (select name from accounts ac where ac.id = claimed.account_id) as account
     from claimed`,
  ),
  ...afterClaim('sign_in_notices', 'id', REASON),
  compose: noticeMail,
  report: (telemetry, { id }, result) => telemetry.signInNoticeSent(id, result),
};

/** Nothing in it is chosen by whoever signed in: the browser is told in our words. */
function noticeMail({ email, account, device, address, createdAt }: SignInNotice, links: Links): Mail {
  return {
    to: email,
    subject: `A new browser signed in to ${account}`,
    text: [
      `Somebody signed in as ${email} at ${account} with a browser that you had not used before.`,
      `When: ${createdAt.toISOString().slice(0, 16).replace('T', ' ')} UTC\nBrowser: ${device}\nAddress: ${address}`,
      'If it was you, there is nothing to do.',
      `If it was not you, change your password now, which signs out every other browser:\n${links.base}/profile`,
      `If you can no longer sign in, ask for a new password:\n${links.base}/forgot-password\n`,
    ].join('\n\n'),
  };
}
