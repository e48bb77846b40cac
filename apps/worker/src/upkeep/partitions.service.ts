import { Database, type SystemConnection } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { DefaultPartitionRows, TimeSpan } from './partition-weeks.js';
import {
  type Partition,
  type PartitionedTable,
  addEmptyCheck,
  createPartition,
  deleteDefaultRows,
  detachPartition,
  dropEmptyCheck,
  dropPartition,
  findDetachedPartitions,
  findPartitions,
  hasEmptyCheck,
  readDefaultRows,
  validateEmptyCheck,
} from './partitions.statements.js';

/** A statement that waits for the lock blocks all others. */
const LOCK_TIMEOUT = "set local lock_timeout = '200ms'";
const LOCK_NOT_AVAILABLE = '55P03';
const CHECK_VIOLATION = '23514';

@Injectable()
export class PartitionsService {
  constructor(private readonly database: Database) {}

  list(table: PartitionedTable): Promise<Partition[]> {
    return findPartitions(this.database.system(), table);
  }

  readDefaultRows(table: PartitionedTable, week: TimeSpan): Promise<DefaultPartitionRows> {
    return readDefaultRows(this.database.system(), table, week);
  }

  async create(table: PartitionedTable, span: TimeSpan, { isLarge }: DefaultPartitionRows): Promise<boolean> {
    if (isLarge && !(await this.checkEmpty(table, span))) return false;
    return this.withLockTimeout((tx) => createPartition(tx, table, span));
  }

  /** Two steps, so that removing the files does not lock the parent table. */
  async drop(table: PartitionedTable, { name }: Partition): Promise<boolean> {
    const isDetached = await this.withLockTimeout((tx) => detachPartition(tx, table, name));
    if (isDetached) await dropPartition(this.database.system(), name);
    return isDetached;
  }

  /** Cleans up after a crash between the steps. */
  async tidy(table: PartitionedTable): Promise<void> {
    const system = this.database.system();
    for (const name of await findDetachedPartitions(system, table)) await dropPartition(system, name);
    const hasCheck = await hasEmptyCheck(system, table);
    if (hasCheck) await this.withLockTimeout((tx) => dropEmptyCheck(tx, table));
  }

  purgeDefault(table: PartitionedTable, before: number, limit: number): Promise<number> {
    return deleteDefaultRows(this.database.system(), table, { before, limit });
  }

  /**
   * Validates without blocking; attaching alone would scan the default partition under an exclusive lock. Nothing is
   * written into a future span.
   */
  private async checkEmpty(table: PartitionedTable, span: TimeSpan): Promise<boolean> {
    const isAdded = await this.withLockTimeout((tx) => addEmptyCheck(tx, table, span));
    return isAdded && this.withLockTimeout((tx) => validateEmptyCheck(tx, table));
  }

  /** False without the lock, or if the span contains a row. */
  private async withLockTimeout(work: (tx: SystemConnection) => Promise<unknown>): Promise<boolean> {
    try {
      await this.database.systemTransaction(async (tx) => {
        await tx.query(LOCK_TIMEOUT);
        await work(tx);
      });
      return true;
    } catch (error) {
      if ([LOCK_NOT_AVAILABLE, CHECK_VIOLATION].includes((error as { code?: string }).code ?? '')) return false;
      throw error;
    }
  }
}
