import { isDeepStrictEqual } from 'node:util';
import { Clock, Database, type SystemConnection, type SystemTx, later, uuidAt } from '#libs/database';
import { Application, Conflict, existing } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import {
  type OAuthClient,
  findClient,
  noteSecretUse,
  notifyApplicationEnded,
  revokeGrantsOfApplication,
} from './grant.statements.js';
import { type ApplicationDetails, detailsOf, recordChange } from './application-details.js';
import { DependentWebhooks } from './dependent-webhooks.js';
import { digest, randomSecret, sameDigest } from './secrets.js';
import { validateScopes } from './scopes.js';

interface Maker {
  /** Without an account, it is the operator. */
  readonly makerAccountId?: string;
  /** The agent who acts. */
  readonly by?: string;
}

interface NewApplication extends ApplicationDetails, Maker {
  readonly isPublic?: boolean;
}

/** An account finds only its own applications, the operator all. */
export interface ApplicationKey extends Maker {
  readonly clientId: string;
}

const NO_DIGEST = Buffer.alloc(32);

const MAX_APPLICATIONS_OF_ACCOUNT = 100;

const ONLY_OPERATOR = 'The operator of this installation disabled it. Only the operator can enable it.';

type ChangesOf = (application: Application, now: Date) => Partial<Application>;

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
  async create(tx: SystemTx, wanted: NewApplication) {
    const now = this.clock.now();
    const { makerAccountId = null, isPublic = false } = wanted;
    const clientSecret = isPublic ? null : randomSecret();
    const application = Object.assign(new Application(), {
      ...detailsOf(wanted, isPublic),
      id: uuidAt(now),
      clientId: randomSecret().slice(0, 32),
      makerAccountId,
      secretHash: clientSecret && digest(clientSecret),
      approvedAt: makerAccountId === null ? now : null,
      createdAt: now,
      updatedAt: now,
    });
    await tx.repository(Application).insert(application);
    if (makerAccountId !== null) await this.refuseTooMany(tx, makerAccountId);
    await recordChange(tx, application, { kind: 'application_created', by: wanted.by });
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

  /** In a transaction, locks it: of two rotations at once, the second keeps the secret of the first. */
  async find({ clientId, makerAccountId }: ApplicationKey, tx?: SystemTx): Promise<Application> {
    const where = { clientId, deleted: false, ...(makerAccountId !== undefined && { makerAccountId }) };
    const lock = { mode: 'for_no_key_update' } as const;
    const repository = (tx ?? this.database.system()).repository(Application);
    return existing(await repository.findOne({ where, ...(tx && { lock }) }), 'application');
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
    const application = await this.change(key, 'application_secret_rotated', ({ secretHash, secretUsedAt }, now) => {
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

  endOldSecret(key: ApplicationKey): Promise<Application> {
    return this.change(key, 'application_old_secret_ended', () => ({
      previousSecretHash: null,
      previousSecretExpiresAt: null,
      previousSecretUsedAt: null,
    }));
  }

  /** Existing grants keep their scopes. */
  setScopes(key: ApplicationKey, scopes: readonly string[]): Promise<Application> {
    return this.change(key, 'application_changed', () => ({ scopes: validateScopes(scopes) }));
  }

  /** Ends the approval, because the operator has not seen the new details. Existing grants keep their scopes. */
  changeDetails(key: ApplicationKey, wanted: ApplicationDetails): Promise<Application> {
    return this.change(
      key,
      'application_changed',
      ({ name, homePage, redirectUris, scopes, secretHash, approvedAt }) => {
        const details = detailsOf(wanted, secretHash === null);
        const isSame = isDeepStrictEqual(details, { name, homePage, redirectUris, scopes });
        return { ...details, approvedAt: isSame ? approvedAt : null };
      },
    );
  }

  approve(key: ApplicationKey): Promise<Application> {
    return this.change(key, 'application_approved', ({ approvedAt }, now) => ({ approvedAt: approvedAt ?? now }));
  }

  /** Returns the number of webhooks that were disabled. An account cannot undo it if the operator did it. */
  disable(key: ApplicationKey): Promise<number> {
    return this.end(key, 'application_disabled', (application, now) => ({
      ...switchOff(application, now),
      disabledByOperator: application.disabledByOperator || key.makerAccountId === undefined,
    }));
  }

  /** Unexpired tokens work again. Webhooks stay disabled. */
  async enable(key: ApplicationKey): Promise<void> {
    await this.change(key, 'application_enabled', ({ disabledByOperator }) => {
      if (disabledByOperator && key.makerAccountId !== undefined)
        throw new Conflict('disabled_by_operator', ONLY_OPERATOR);
      return { disabledAt: null, disabledByOperator: false };
    });
  }

  async remove(key: ApplicationKey): Promise<void> {
    await this.end(key, 'application_deleted', endForGood);
  }

  private end(key: ApplicationKey, kind: string, changesOf: ChangesOf): Promise<number> {
    return this.database.systemTransaction(async (tx) => {
      const { id, updatedAt, deleted } = await this.change(key, kind, changesOf, tx);
      await notifyApplicationEnded(tx, id);
      if (deleted) await revokeGrantsOfApplication(tx, id, updatedAt);
      return this.webhooks.disableOfApplication(tx, id, updatedAt);
    });
  }

  private async change(key: ApplicationKey, kind: string, changesOf: ChangesOf, tx?: SystemTx): Promise<Application> {
    if (!tx) return this.database.systemTransaction((own) => this.change(key, kind, changesOf, own));
    const application = await this.find(key, tx);
    const now = this.clock.now();
    const changes = { ...changesOf(application, now), updatedAt: now };
    await tx.repository(Application).update({ id: application.id }, changes);
    Object.assign(application, changes);
    await recordChange(tx, application, { kind, by: key.by });
    return application;
  }
}
