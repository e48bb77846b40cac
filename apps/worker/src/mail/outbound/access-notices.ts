import type { ClaimedMail, Mail } from '#libs/mail';
import type { Links } from '#libs/payloads';

/** Notices about access from before webhooks and deliveries needed the scope `read`: it keeps working, and can be revoked. */
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
