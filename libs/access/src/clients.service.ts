import { Clock, Database } from '#libs/database';
import type { Application } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { FIND_CLIENT } from './grant.statements.js';
import { digest, sameDigest } from './secrets.js';

export type OAuthClient = Pick<
  Application,
  'id' | 'clientId' | 'name' | 'redirectUris' | 'scopes' | 'secretHash' | 'previousSecretHash'
>;

const NO_DIGEST = Buffer.alloc(32);

@Injectable()
export class ClientsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  find(clientId: string): Promise<OAuthClient | undefined> {
    return this.database.system().row<OAuthClient>(FIND_CLIENT, [clientId, this.clock.now()]);
  }

  /** Compares both secrets in constant time, whether or not the client exists. */
  async authenticate(clientId: string, secret: string): Promise<OAuthClient | undefined> {
    const client = await this.find(clientId);
    const shown = digest(secret);
    const isCurrent = sameDigest(client?.secretHash ?? NO_DIGEST, shown);
    const isPrevious = sameDigest(client?.previousSecretHash ?? NO_DIGEST, shown);
    return isCurrent || isPrevious ? client : undefined;
  }
}
