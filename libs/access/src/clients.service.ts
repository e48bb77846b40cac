import { Clock, Database, systemStatement } from '#libs/database';
import type { Application } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { digest, sameDigest } from './secrets.js';

/** What OAuth needs to know of an application. A disabled one is not known. */
export type OAuthClient = Pick<
  Application,
  'id' | 'clientId' | 'name' | 'redirectUris' | 'scopes' | 'secretHash' | 'previousSecretHash'
>;

const FIND = systemStatement(
  'client_find',
  'Applications belong to the operator, not to an account',
  `select id, client_id as "clientId", name, redirect_uris as "redirectUris", scopes, secret_hash as "secretHash",
     case when previous_secret_expires_at > $2 then previous_secret_hash end as "previousSecretHash"
   from applications where client_id = $1 and disabled_at is null`,
);

/** As long as any digest, equal to none. */
const NO_DIGEST = Buffer.alloc(32);

@Injectable()
export class ClientsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  find(clientId: string): Promise<OAuthClient | undefined> {
    return this.database.system().row<OAuthClient>(FIND, [clientId, this.clock.now()]);
  }

  /** Both secrets are compared, and in constant time, whether or not the client exists. */
  async authenticate(clientId: string, secret: string): Promise<OAuthClient | undefined> {
    const client = await this.find(clientId);
    const shown = digest(secret);
    const isCurrent = sameDigest(client?.secretHash ?? NO_DIGEST, shown);
    const isPrevious = sameDigest(client?.previousSecretHash ?? NO_DIGEST, shown);
    return isCurrent || isPrevious ? client : undefined;
  }
}
