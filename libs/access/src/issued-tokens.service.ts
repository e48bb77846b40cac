import { Clock, Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { FIND_TOKEN, DELETE_TOKEN } from './token-issuance.statements.js';
import type { FoundToken } from './token-issuance.service.js';
import { GrantsService } from './grants.service.js';
import { digest } from './secrets.js';

/** What an application may ask and do about tokens that were issued to it; those of others do not exist for it. */
@Injectable()
export class IssuedTokensService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly grants: GrantsService,
  ) {}

  async introspect(applicationId: string, token: string): Promise<FoundToken | undefined> {
    const found = await this.find(applicationId, token);
    return found?.alive && !found.consumedAt ? found : undefined;
  }

  /** An access token ends alone; a refresh token ends the grant, with everything issued under it. */
  async revoke(applicationId: string, token: string): Promise<void> {
    const found = await this.find(applicationId, token);
    if (found?.kind === 'access') await this.database.system().rows(DELETE_TOKEN, [digest(token)]);
    if (found?.kind === 'refresh') await this.grants.revokeById(found.grantId, 'application');
  }

  private find(applicationId: string, token: string): Promise<FoundToken | undefined> {
    return this.database.system().row<FoundToken>(FIND_TOKEN, [digest(token), applicationId, this.clock.now()]);
  }
}
