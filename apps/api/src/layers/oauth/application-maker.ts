import type { OAuthClient } from '#libs/access';

export type ApplicationMaker = Pick<OAuthClient, 'clientId' | 'makerAccountId' | 'metadataExpiresAt' | 'approvedAt'>;

export function makerOf({ clientId, makerAccountId, metadataExpiresAt }: ApplicationMaker): string {
  if (metadataExpiresAt) return `Described by its maker at ${new URL(clientId).host}`;
  return makerAccountId ? 'Made by an owner or admin of this account' : 'Registered by the operator';
}

export const approvalOf = ({ approvedAt }: ApplicationMaker): string =>
  `${approvedAt ? 'Approved' : 'Not approved'} by the operator of this installation`;
