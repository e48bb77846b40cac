import { Clock, Database, type SystemConnection, later, systemStatement, uuidAt } from '#libs/database';
import { Application, NotFound, SCOPES } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { DependentWebhooks } from './dependent-webhooks.js';
import { validateRedirectUris } from './redirect-uri.js';
import { validateScopes } from './scopes.js';
import { digest, randomSecret } from './secrets.js';
import { validateName } from './email-and-name.js';

export interface NewApplication {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scopes?: readonly string[];
}

/** The secret is seen here and never again: only its digest is kept. */
export interface IssuedApplication {
  readonly application: Application;
  readonly clientSecret: string;
}

const REASON = 'Applications belong to the operator, not to an account';

const DISABLE = systemStatement(
  'application_disable',
  REASON,
  'update applications set disabled_at = coalesce(disabled_at, $2), updated_at = $2 where client_id = $1 returning id',
);

@Injectable()
export class ApplicationsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly webhooks: DependentWebhooks,
  ) {}

  async create(tx: SystemConnection, wanted: NewApplication): Promise<IssuedApplication> {
    const now = this.clock.now();
    const clientSecret = randomSecret();
    const application = Object.assign(new Application(), {
      id: uuidAt(now),
      name: validateName('name', wanted.name),
      clientId: randomSecret().slice(0, 32),
      secretHash: digest(clientSecret),
      redirectUris: validateRedirectUris(wanted.redirectUris),
      scopes: validateScopes(wanted.scopes ?? SCOPES),
      createdAt: now,
      updatedAt: now,
    });
    await tx.manager.insert(Application, application);
    return { application, clientSecret };
  }

  list(): Promise<Application[]> {
    return this.database.system().manager.find(Application, { order: { id: 'ASC' } });
  }

  async find(clientId: string): Promise<Application> {
    const found = await this.database.system().manager.findOneBy(Application, { clientId });
    if (!found) throw new NotFound('application');
    return found;
  }

  /** The old secret stays good for `overlapHours`, so that the application can be changed without a gap. */
  async rotateSecret(clientId: string, overlapHours: number): Promise<IssuedApplication> {
    const application = await this.find(clientId);
    const clientSecret = randomSecret();
    const now = this.clock.now();
    const changes = {
      secretHash: digest(clientSecret),
      previousSecretHash: application.secretHash,
      previousSecretExpiresAt: later(now, overlapHours * 3_600_000),
      updatedAt: now,
    };
    await this.database.system().manager.update(Application, { id: application.id }, changes);
    return { application: Object.assign(application, changes), clientSecret };
  }

  /** Its tokens stop working at once, and its webhooks with them. Says how many webhooks that were. */
  disable(clientId: string): Promise<number> {
    return this.database.systemTransaction(async (tx) => {
      const now = this.clock.now();
      const application = await tx.row<{ id: string }>(DISABLE, [clientId, now]);
      if (!application) throw new NotFound('application');
      return this.webhooks.disableOfApplication(tx, application.id, now);
    });
  }

  /** Tokens that have not expired work again; its webhooks stay off until somebody turns them on. */
  async enable(clientId: string): Promise<void> {
    const { manager } = this.database.system();
    const changes = { disabledAt: null, updatedAt: this.clock.now() };
    const { affected } = await manager.update(Application, { clientId }, changes);
    if (!affected) throw new NotFound('application');
  }
}
