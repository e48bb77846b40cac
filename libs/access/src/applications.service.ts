import { Clock, Database, type SystemConnection, later, uuidAt } from '#libs/database';
import { Application, NotFound, SCOPES } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { DependentWebhooks } from './grants.service.js';
import { digest, randomSecret } from './secrets.js';
import { validateName, validateRedirectUris, validateScopes } from './validation.js';

interface NewApplication {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scopes?: readonly string[];
}

interface IssuedApplication {
  readonly application: Application;
  readonly clientSecret: string;
}

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
    await tx.repository(Application).insert(application);
    return { application, clientSecret };
  }

  list(): Promise<Application[]> {
    return this.database
      .system()
      .repository(Application)
      .find({ order: { id: 'ASC' } });
  }

  async find(clientId: string, db = this.database.system()): Promise<Application> {
    const found = await db.repository(Application).findOneBy({ clientId });
    if (!found) throw new NotFound('application');
    return found;
  }

  /** The old secret stays valid for `overlapHours`. */
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
    await this.database.system().repository(Application).update({ id: application.id }, changes);
    return { application: Object.assign(application, changes), clientSecret };
  }

  /** Existing grants keep their scopes. */
  async setScopes(clientId: string, scopes: readonly string[]): Promise<Application> {
    const application = await this.find(clientId);
    const changes = { scopes: validateScopes(scopes), updatedAt: this.clock.now() };
    await this.database.system().repository(Application).update({ id: application.id }, changes);
    return Object.assign(application, changes);
  }

  /** Returns the number of webhooks that were disabled. */
  disable(clientId: string): Promise<number> {
    return this.database.systemTransaction(async (tx) => {
      const now = this.clock.now();
      const { id, disabledAt } = await this.find(clientId, tx);
      await tx.repository(Application).update({ id }, { disabledAt: disabledAt ?? now, updatedAt: now });
      return this.webhooks.disableOfApplication(tx, id, now);
    });
  }

  /** Unexpired tokens work again. Webhooks stay disabled. */
  async enable(clientId: string): Promise<void> {
    const { id } = await this.find(clientId);
    const changes = { disabledAt: null, updatedAt: this.clock.now() };
    await this.database.system().repository(Application).update({ id }, changes);
  }
}
