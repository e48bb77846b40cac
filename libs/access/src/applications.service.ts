import { Clock, Database, type SystemConnection, later, uuidAt } from '#libs/database';
import { ALL_ACCESS, Application, Conflict, existing, validateName } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import {
  type OAuthClient,
  findClient,
  noteSecretUse,
  notifyApplicationEnded,
  revokeGrantsOfApplication,
} from './grant.statements.js';
import { DependentWebhooks } from './dependent-webhooks.js';
import { digest, randomSecret, sameDigest } from './secrets.js';
import { validateHomePage, validateRedirectUris } from './redirect-uris.js';
import { validateScopes } from './scopes.js';

interface NewApplication {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scopes?: readonly string[];
  readonly isPublic?: boolean;
  /** Of one account, which the operator has not approved. */
  readonly makerAccountId?: string;
  readonly homePage?: string;
}

/** An account finds only its own applications, the operator all. */
export interface ApplicationKey {
  readonly clientId: string;
  readonly makerAccountId?: string;
}

const NO_DIGEST = Buffer.alloc(32);

const MAX_APPLICATIONS_OF_ACCOUNT = 100;

const switchOff = ({ disabledAt }: Application, now: Date) => ({ disabledAt: disabledAt ?? now });

const endForGood = (application: Application, now: Date) => ({ ...switchOff(application, now), deleted: true });

@Injectable()
export class ApplicationsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly webhooks: DependentWebhooks,
  ) {}

  /** The secret is null for a public client. */
  async create(tx: SystemConnection, wanted: NewApplication) {
    const now = this.clock.now();
    const { makerAccountId = null, homePage = '', isPublic = false } = wanted;
    const clientSecret = isPublic ? null : randomSecret();
    const application = Object.assign(new Application(), {
      id: uuidAt(now),
      name: validateName('name', wanted.name),
      clientId: randomSecret().slice(0, 32),
      makerAccountId,
      homePage: homePage === '' ? null : validateHomePage(homePage),
      secretHash: clientSecret && digest(clientSecret),
      redirectUris: validateRedirectUris(wanted.redirectUris, isPublic),
      scopes: validateScopes(wanted.scopes ?? ALL_ACCESS),
      approvedAt: makerAccountId === null ? now : null,
      createdAt: now,
      updatedAt: now,
    });
    await tx.repository(Application).insert(application);
    if (makerAccountId !== null) await this.refuseTooMany(tx, makerAccountId);
    return { application, clientSecret };
  }

  /** Called after the insert. Requests at the same time may exceed it by a few. */
  private async refuseTooMany(tx: SystemConnection, makerAccountId: string): Promise<void> {
    if ((await this.list(makerAccountId, tx)).length > MAX_APPLICATIONS_OF_ACCOUNT)
      throw new Conflict(
        'too_many_applications',
        `An account has at most ${MAX_APPLICATIONS_OF_ACCOUNT} applications. Delete one you no longer use.`,
      );
  }

  /** Without an account, all applications. */
  list(makerAccountId?: string, db: SystemConnection = this.database.system()): Promise<Application[]> {
    const where = { deleted: false, ...(makerAccountId !== undefined && { makerAccountId }) };
    return db.repository(Application).find({ where, order: { id: 'ASC' } });
  }

  async find(key: ApplicationKey, db: SystemConnection = this.database.system()): Promise<Application> {
    return existing(await db.repository(Application).findOneBy({ ...key, deleted: false }), 'application');
  }

  /** Excludes disabled applications. */
  findClient(clientId: string): Promise<OAuthClient | undefined> {
    return findClient(this.database.system(), clientId, this.clock.now());
  }

  /**
   * Compares both secrets in constant time, whether or not the client exists. A public client has no secret, and must
   * send none.
   */
  async authenticate(clientId: string, secret: string | undefined): Promise<OAuthClient | undefined> {
    const client = await this.findClient(clientId);
    if (secret === undefined) return client?.secretHash === null ? client : undefined;
    const shown = digest(secret);
    const isCurrent = sameDigest(client?.secretHash ?? NO_DIGEST, shown);
    const isPrevious = sameDigest(client?.previousSecretHash ?? NO_DIGEST, shown);
    if (!client || !(isCurrent || isPrevious)) return undefined;
    // Not awaited: a failure only makes a date less exact.
    void noteSecretUse(this.database.system(), client, { isCurrent, now: this.clock.now() }).catch(() => undefined);
    return client;
  }

  /** The old secret stays valid for `overlapHours`. */
  async rotateSecret(key: ApplicationKey, overlapHours: number) {
    const clientSecret = randomSecret();
    const application = await this.change(key, ({ secretHash, secretUsedAt }, now) => {
      if (secretHash === null) throw new Conflict('public_client', 'A public client has no secret.');
      return {
        secretHash: digest(clientSecret),
        secretUsedAt: null,
        previousSecretHash: secretHash,
        previousSecretExpiresAt: later(now, overlapHours * 3_600_000),
        previousSecretUsedAt: secretUsedAt,
      };
    });
    return { application, clientSecret };
  }

  /** Existing grants keep their scopes. */
  setScopes(key: ApplicationKey, scopes: readonly string[]): Promise<Application> {
    return this.change(key, () => ({ scopes: validateScopes(scopes) }));
  }

  approve(key: ApplicationKey): Promise<Application> {
    return this.change(key, ({ approvedAt }, now) => ({ approvedAt: approvedAt ?? now }));
  }

  /** Returns the number of webhooks that were disabled. */
  disable(key: ApplicationKey): Promise<number> {
    return this.database.systemTransaction(async (tx) => {
      const { id, updatedAt } = await this.change(key, switchOff, tx);
      await notifyApplicationEnded(tx, id);
      return this.webhooks.disableOfApplication(tx, id, updatedAt);
    });
  }

  /** Unexpired tokens work again. Webhooks stay disabled. */
  async enable(key: ApplicationKey): Promise<void> {
    await this.change(key, () => ({ disabledAt: null }));
  }

  async remove(key: ApplicationKey): Promise<void> {
    await this.database.systemTransaction(async (tx) => {
      const { id, updatedAt } = await this.change(key, endForGood, tx);
      await notifyApplicationEnded(tx, id);
      await revokeGrantsOfApplication(tx, id, updatedAt);
      await this.webhooks.disableOfApplication(tx, id, updatedAt);
    });
  }

  private async change(
    key: ApplicationKey,
    changesOf: (application: Application, now: Date) => Partial<Application>,
    db: SystemConnection = this.database.system(),
  ): Promise<Application> {
    const application = await this.find(key, db);
    const now = this.clock.now();
    const changes = { ...changesOf(application, now), updatedAt: now };
    await db.repository(Application).update({ id: application.id }, changes);
    return Object.assign(application, changes);
  }
}
