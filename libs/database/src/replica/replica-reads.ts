import type { Queryable } from '../connection.js';
import type { Prepared } from '../statements.js';
import type { Replica } from './replica.js';
import type { WalPosition } from './wal-position.js';

/**
 * The statements of one read, such as a page of a list. After one that the primary had to answer, it answers the others
 * as well: the replica may not have what the first one found.
 */
export class ReplicaReads implements Queryable {
  private usesReplica = true;

  constructor(
    private readonly replica: Replica,
    private readonly primary: Queryable,
    private readonly after: WalPosition,
  ) {}

  async query(statement: Prepared): Promise<{ rows: unknown[] }> {
    const answer = this.usesReplica ? await this.replica.query(statement, this.after) : undefined;
    if (answer) return answer;
    this.usesReplica = false;
    return this.primary.query(statement);
  }
}
