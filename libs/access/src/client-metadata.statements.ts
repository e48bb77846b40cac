import { type SystemConnection, columns, hydrate, systemStatement, uuidAt } from '#libs/database';
import { Application, type Scope } from '#libs/entities';
import type { ClientMetadata } from './client-metadata.js';

const REASON = 'The client describes itself to all accounts';

const FIND = systemStatement(
  'metadata_client_find',
  REASON,
  `select ${columns(Application, 'a')} from applications a where a.client_id = $1`,
);

export async function findMetadataClient(db: SystemConnection, clientId: string): Promise<Application | null> {
  return hydrate(Application, (await db.row(FIND, [clientId])) ?? {}, 'a');
}

/** The operator may have changed the scopes of a known client, or disabled it. */
const SAVE = systemStatement(
  'metadata_client_save',
  REASON,
  `insert into applications as a
     (id, client_id, name, redirect_uris, home_page, scopes, metadata_expires_at, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $8)
   on conflict (client_id) do update
     set name = $3, redirect_uris = $4, home_page = $5, metadata_expires_at = $7, updated_at = $8
   returning ${columns(Application, 'a')}`,
);

export async function saveMetadataClient(
  db: SystemConnection,
  {
    clientId,
    name,
    redirectUris,
    homePage,
    scopes,
    expiresAt,
  }: ClientMetadata & { scopes: readonly Scope[]; expiresAt: Date },
  now: Date,
): Promise<Application> {
  const values = [uuidAt(now), clientId, name, redirectUris, homePage, scopes, expiresAt, now];
  return hydrate(Application, (await db.row(SAVE, values))!, 'a')!;
}
