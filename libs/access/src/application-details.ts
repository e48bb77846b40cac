import type { SystemTx } from '#libs/database';
import { ALL_ACCESS, type Application, validateName } from '#libs/entities';
import { insertActivity } from '#libs/events';
import { plainName } from './client-metadata.js';
import { validateHomePage, validateRedirectUris } from './redirect-uris.js';
import { validateScopes } from './scopes.js';

export interface ApplicationDetails {
  readonly name: string;
  readonly homePage?: string;
  readonly redirectUris: readonly string[];
  readonly scopes?: readonly string[];
}

export const detailsOf = (
  { name, homePage = '', redirectUris, scopes = ALL_ACCESS }: ApplicationDetails,
  isPublic: boolean,
) => ({
  name: validateName('name', plainName(name)),
  homePage: homePage === '' ? null : validateHomePage(homePage),
  redirectUris: validateRedirectUris(redirectUris, isPublic),
  scopes: validateScopes(scopes),
});

/** In the audit of the account that made the application. */
export async function recordChange(
  tx: SystemTx,
  { makerAccountId, clientId, name: subject, updatedAt }: Application,
  { kind, by = null }: { readonly kind: string; readonly by: string | null | undefined },
): Promise<void> {
  if (makerAccountId === null) return;
  const actor = { agentId: by, applicationId: null, requestId: null };
  const activity = { kind, subject, detail: { client_id: clientId } };
  await insertActivity(tx.account(makerAccountId), actor, activity, updatedAt);
}
