import { type Database, NIL_UUID } from '#libs/database';
import type { Settings } from '#libs/settings';
import { type SealedValue, SecretBox } from './secret-box.js';
import type { SealedTable } from './sealed-table.statements.js';

type SealedRow = SealedValue & { readonly id: string; readonly owner: string };

export type SecretsKeyUsage = { readonly keyId: string; readonly count: number; readonly opens: boolean };

/** Counts and reseals secrets by their key, without showing them. */
export class SealedSecretsService {
  private readonly box: SecretBox;

  constructor(
    private readonly database: Database,
    private readonly settings: Pick<Settings, 'SECRETS_KEY'>,
    private readonly tables: readonly SealedTable[],
  ) {
    this.box = new SecretBox(settings.SECRETS_KEY);
  }

  /** Opens one secret of each key in each table. */
  async byKey(): Promise<SecretsKeyUsage[]> {
    const usages = new Map<string, SecretsKeyUsage>();
    for (const { samples } of this.tables) {
      for (const row of await this.database.system().rows<SealedRow & { count: number }>(samples)) {
        const { keyId } = row;
        const { count, opens } = usages.get(keyId) ?? { count: 0, opens: true };
        usages.set(keyId, { keyId, count: count + row.count, opens: opens && this.tryOpen(row) !== null });
      }
    }
    return [...usages.values()];
  }

  /** Seals all secrets with the newest key, so older keys can be removed from SECRETS_KEY. */
  async reseal(): Promise<{ resealed: number; unopened: number }> {
    const done = { resealed: 0, unopened: 0 };
    for (const table of this.tables) await this.resealTable(table, done);
    return done;
  }

  private async resealTable(table: SealedTable, done: { resealed: number; unopened: number }): Promise<void> {
    const newest = this.settings.SECRETS_KEY[0]!.id;
    for (let after = NIL_UUID; ;) {
      const rows = await this.database.system().rows<SealedRow>(table.others, [newest, after]);
      for (const row of rows) done[(await this.resealRow(table, row)) ? 'resealed' : 'unopened'] += 1;
      const last = rows.at(-1);
      if (!last) return;
      after = last.id;
    }
  }

  private async resealRow(table: SealedTable, row: SealedRow): Promise<boolean> {
    const secret = this.tryOpen(row);
    if (secret === null) return false;
    const { sealed, keyId } = this.box.seal(secret, row.owner);
    await this.database.system().rows(table.reseal, [row.id, sealed, keyId, row.sealed, row.keyId]);
    return true;
  }

  private tryOpen(row: SealedRow): string | null {
    try {
      return this.box.open(row, row.owner);
    } catch {
      return null;
    }
  }
}
