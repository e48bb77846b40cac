import type { ClaimedMail, Mail } from '#libs/mail';
import type { Links } from '#libs/payloads';

/**
 * What agents hear of a sign-in with a browser that is new for them. Nothing in it is chosen by whoever signed in: the
 * browser is told in our words.
 */
export function signInNotice({ recipient, account, detail, queuedAt }: ClaimedMail, links: Links): Mail {
  const { device, address } = detail;
  return {
    to: recipient,
    automatic: true,
    subject: `A new browser signed in to ${account}`,
    text: [
      `Somebody signed in as ${recipient} at ${account} with a browser that you had not used before.`,
      `When: ${queuedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC\nBrowser: ${device}\nAddress: ${address}`,
      'If it was you, there is nothing to do.',
      `If it was not you, change your password now, which signs out every other browser:\n${links.base}/profile`,
      `If you can no longer sign in, ask for a new password:\n${links.base}/forgot-password\n`,
    ].join('\n\n'),
  };
}
