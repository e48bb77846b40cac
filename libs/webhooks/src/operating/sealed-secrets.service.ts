import { Database, NIL_UUID, systemStatement } from '#libs/database';
import type { WebhookSecret } from '#libs/entities';
import type { Settings } from '#libs/settings';
import { SecretBox } from '../secret-box.js';

const REASON = 'Keys seal the secrets of every account';

const SAMPLES = systemStatement(
  'sealed_samples',
  REASON,
  `select distinct on (key_id) key_id as "keyId", webhook_id as "webhookId", sealed, count(*) over (partition by key_id)::int as count
   from webhook_secrets order by key_id, id`,
);

const OTHERS = systemStatement(
  'sealed_others',
  REASON,
  `select id, webhook_id as "webhookId", sealed, key_id as "keyId" from webhook_secrets
   where key_id <> $1 and id > $2 order by id limit 500`,
);

const RESEAL = systemStatement(
  'sealed_reseal',
  REASON,
  'update webhook_secrets set sealed = $2, key_id = $3 where id = $1',
);

type SealedSecret = Pick<WebhookSecret, 'id' | 'webhookId' | 'sealed' | 'keyId'>;

/** How many secrets one key seals, and whether it opens them. */
export interface SecretsKeyUsage {
  readonly keyId: string;
  readonly count: number;
  readonly opens: boolean;
}

/** The secrets of webhooks as the operator sees them: by the key that seals them, and never what they say. */
export class SealedSecretsService {
  private readonly box: SecretBox;

  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {
    this.box = new SecretBox(settings.SECRETS_KEY);
  }

  /** One secret of each key is tried. */
  async byKey(): Promise<SecretsKeyUsage[]> {
    const samples = await this.database.system().rows<SealedSecret & { count: number }>(SAMPLES);
    return samples.map((sample) => ({ keyId: sample.keyId, count: sample.count, opens: this.opened(sample) !== null }));
  }

  /** Seals everything with the newest key, so that older ones can be put away. Says how many, and how many it could not open. */
  async reseal(): Promise<{ resealed: number; unopened: number }> {
    const newest = this.settings.SECRETS_KEY[0]!.id;
    const done = { resealed: 0, unopened: 0 };
    for (let after = NIL_UUID; ;) {
      const part = await this.database.system().rows<SealedSecret>(OTHERS, [newest, after]);
      for (const one of part) done[(await this.resealOne(one)) ? 'resealed' : 'unopened'] += 1;
      const last = part.at(-1);
      if (!last) return done;
      after = last.id;
    }
  }

  private async resealOne(one: SealedSecret): Promise<boolean> {
    const secret = this.opened(one);
    if (secret === null) return false;
    const { sealed, keyId } = this.box.seal(secret, one.webhookId);
    await this.database.system().rows(RESEAL, [one.id, sealed, keyId]);
    return true;
  }

  private opened({ webhookId, ...sealed }: SealedSecret): string | null {
    try {
      return this.box.open(sealed, webhookId);
    } catch {
      return null;
    }
  }
}
