import type { DisabledReason } from '#libs/entities';
import type { ClaimedMail, Mail } from '#libs/mail';
import type { Links } from '#libs/payloads';

/** Describes the browser in our words, so an attacker cannot choose the text. */
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

/** Access that was granted before webhooks and deliveries required the scope `read` keeps working. */
export function accessNotice({ recipient, account, detail }: ClaimedMail, links: Links): Mail {
  const { role, access = '' } = detail;
  const isManager = role !== 'agent';
  return {
    to: recipient,
    automatic: true,
    subject: `Check which programs receive records of ${account}`,
    text: [
      'A program that may manage webhooks used to receive full records through them: tickets, messages, internal notes and customers. It did not need the permission to read. Access given from now on does.',
      'This access was given before and keeps working. It receives records without the permission to read:',
      access
        .split('\n')
        .map((line) => `- ${line}`)
        .join('\n'),
      'If one of them should not, revoke its access:',
      `${links.base}${isManager ? '/settings/applications' : '/profile'}`,
      ...(isManager ? ['People revoke their personal access tokens in their profile.'] : []),
      `You get this because you ${isManager ? `are an owner or admin of ${account}` : 'gave this access'}.\n`,
    ].join('\n\n'),
  };
}

const REASON_SENTENCES: Readonly<Record<DisabledReason, string>> = {
  gone: 'The receiver answered 410 Gone, which says that it never wants to be called again.',
  failing: 'Every delivery to it has failed for five days.',
  access_revoked: 'The access of the application that made it was revoked.',
  operator: 'The operator of this installation switched it off.',
};

/** Omits the path of the URL, since some receivers put secrets there. */
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
