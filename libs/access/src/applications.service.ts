import { Clock, Database, type SystemConnection, later, uuidAt } from '#libs/database';
import { Application, SCOPES, existing, validateName } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { type OAuthClient, findClient, notifyApplicationEnded } from './grant.statements.js';
import { DependentWebhooks } from './dependent-webhooks.js';
import { digest, randomSecret, sameDigest } from './secrets.js';
import { validateRedirectUris } from './redirect-uris.js';
import { validateScopes } from './scopes.js';

interface NewApplication {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scopes?: readonly string[];
}

const NO_DIGEST = Buffer.alloc(32);

const switchOff = ({ disabledAt }: Application, now: Date) => ({ disabledAt: disabledAt ?? now });

@Injectable()
export class ApplicationsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly webhooks: DependentWebhooks,
  ) {}

  async create(tx: SystemConnection, wanted: NewApplication) {
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
    const applications = this.database.system().repository(Application);
    return applications.find({ order: { id: 'ASC' } });
  }

  async find(clientId: string, db = this.database.system()): Promise<Application> {
    return existing(await db.repository(Application).findOneBy({ clientId }), 'application');
  }

  /** Excludes disabled applications. */
  findClient(clientId: string): Promise<OAuthClient | undefined> {
    return findClient(this.database.system(), clientId, this.clock.now());
  }

  /** Compares both secrets in constant time, whether or not the client exists. */
  async authenticate(clientId: string, secret: string): Promise<OAuthClient | undefined> {
    const client = await this.findClient(clientId);
    const shown = digest(secret);
    const isCurrent = sameDigest(client?.secretHash ?? NO_DIGEST, shown);
    const isPrevious = sameDigest(client?.previousSecretHash ?? NO_DIGEST, shown);
    return isCurrent || isPrevious ? client : undefined;
  }

  /** The old secret stays valid for `overlapHours`. */
  async rotateSecret(clientId: string, overlapHours: number) {
    const clientSecret = randomSecret();
    const application = await this.change(clientId, ({ secretHash }, now) => ({
      secretHash: digest(clientSecret),
      previousSecretHash: secretHash,
      previousSecretExpiresAt: later(now, overlapHours * 3_600_000),
    }));
    return { application, clientSecret };
  }

  /** Existing grants keep their scopes. */
  setScopes(clientId: string, scopes: readonly string[]): Promise<Application> {
    return this.change(clientId, () => ({ scopes: validateScopes(scopes) }));
  }

  /** Returns the number of webhooks that were disabled. */
  disable(clientId: string): Promise<number> {
    return this.database.systemTransaction(async (tx) => {
      const { id, updatedAt } = await this.change(clientId, switchOff, tx);
      await notifyApplicationEnded(tx, id);
      return this.webhooks.disableOfApplication(tx, id, updatedAt);
    });
  }

  /** Unexpired tokens work again. Webhooks stay disabled. */
  async enable(clientId: string): Promise<void> {
    await this.change(clientId, () => ({ disabledAt: null }));
  }

  private async change(
    clientId: string,
    changesOf: (application: Application, now: Date) => Partial<Application>,
    db: SystemConnection = this.database.system(),
  ): Promise<Application> {
    const application = await this.find(clientId, db);
    const now = this.clock.now();
    const changes = { ...changesOf(application, now), updatedAt: now };
    await db.repository(Application).update({ id: application.id }, changes);
    return Object.assign(application, changes);
  }
}
