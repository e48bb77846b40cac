import { type Database, NIL_UUID, type SystemStatement } from '#libs/database';
import type { Settings } from '#libs/settings';
import { type SealedValue, SecretBox } from './secret-box.js';

/** A table of sealed secrets, told by its own library. Each row has an `id`, and an `owner` that is bound to the secret. */
export interface SealedTable {
  /** One row of each key, with how many that key seals: `id`, `owner`, `sealed`, `keyId`, `count`. */
  readonly samples: SystemStatement;
  /** Up to 500 rows that another key than $1 seals, with ids after $2, in the order of their ids. */
  readonly others: SystemStatement;
  /** Puts what is sealed ($2) and its key ($3) in the place of the former values ($4, $5), if they still stand in row $1. */
  readonly reseal: SystemStatement;
}

interface SealedRow extends SealedValue {
  readonly id: string;
  readonly owner: string;
}

/** How many secrets one key seals, and whether it opens them. */
export interface SecretsKeyUsage {
  readonly keyId: string;
  readonly count: number;
  readonly opens: boolean;
}

/** Sealed secrets as the operator sees them: by the key that seals them, and never what they say. */
export class SealedSecretsService {
  private readonly box: SecretBox;

  constructor(
    private readonly database: Database,
    private readonly settings: Pick<Settings, 'SECRETS_KEY'>,
    private readonly tables: readonly SealedTable[],
  ) {
    this.box = new SecretBox(settings.SECRETS_KEY);
  }

  /** One secret of each key is tried in each table. */
  async byKey(): Promise<SecretsKeyUsage[]> {
    const usages = new Map<string, SecretsKeyUsage>();
    for (const { samples } of this.tables) {
      for (const row of await this.database.system().rows<SealedRow & { count: number }>(samples)) {
        const { keyId } = row;
        const { count, opens } = usages.get(keyId) ?? { count: 0, opens: true };
        usages.set(keyId, { keyId, count: count + row.count, opens: opens && this.opened(row) !== null });
      }
    }
    return [...usages.values()];
  }

  /** Seals everything with the newest key, so that older ones can be put away. Says how many, and how many it could not open. */
  async reseal(): Promise<{ resealed: number; unopened: number }> {
    const done = { resealed: 0, unopened: 0 };
    for (const table of this.tables) await this.resealTable(table, done);
    return done;
  }

  private async resealTable(table: SealedTable, done: { resealed: number; unopened: number }): Promise<void> {
    const newest = this.settings.SECRETS_KEY[0]!.id;
    for (let after = NIL_UUID; ;) {
      const part = await this.database.system().rows<SealedRow>(table.others, [newest, after]);
      for (const row of part) done[(await this.resealRow(table, row)) ? 'resealed' : 'unopened'] += 1;
      const last = part.at(-1);
      if (!last) return;
      after = last.id;
    }
  }

  private async resealRow(table: SealedTable, row: SealedRow): Promise<boolean> {
    const secret = this.opened(row);
    if (secret === null) return false;
    const { sealed, keyId } = this.box.seal(secret, row.owner);
    await this.database.system().rows(table.reseal, [row.id, sealed, keyId, row.sealed, row.keyId]);
    return true;
  }

  private opened(row: SealedRow): string | null {
    try {
      return this.box.open(row, row.owner);
    } catch {
      return null;
    }
  }
}
