import { Database, WAL_START, WAL_UNKNOWN, type WalPosition } from '#libs/database';
import { requestsKey } from '#libs/redis';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { RequestRedis } from './request-redis.js';

/** A replica that is further behind is not read, so what was written before need not be remembered. */
const BEYOND_LAG_MS = 5_000;

/** Of two writes at once, the later one may be noted first. */
const NOTE_SCRIPT = `
  local known = redis.call('GET', KEYS[1])
  if not known or known < ARGV[1] then redis.call('SET', KEYS[1], ARGV[1]) end
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return {}`;

const READ_SCRIPT = "return {redis.call('GET', KEYS[1])}";

/**
 * Up to where each person has lately written, known to all processes by Redis. They read a replica only if it has that:
 * whoever changes something sees it in the next list, whichever process, session or token they ask by. Does nothing
 * where there is no replica.
 */
@Injectable()
export class RecentWrites {
  private readonly keptMs: number;

  constructor(
    private readonly redis: RequestRedis,
    private readonly database: Database,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {
    this.keptMs = settings.DATABASE_REPLICA_MAX_LAG_MS + BEYOND_LAG_MS;
  }

  get areKept(): boolean {
    return this.database.replica !== undefined;
  }

  /** None where there is no replica. In a Cluster it is on the server of the other keys of this person. */
  keysOf(agentId: string): string[] {
    return this.areKept ? [requestsKey(this.settings, agentId, 'written')] : [];
  }

  /** Undefined where it is not known, so that they read the primary. One round trip to Redis. */
  async positionOf(agentId: string): Promise<WalPosition | undefined> {
    if (!this.areKept) return undefined;
    const answer = await this.redis.run(READ_SCRIPT, this.keysOf(agentId), []);
    return answer && this.positionIn((answer as [string | null])[0]);
  }

  /** Of what Redis has under the key. Another Redis than before may have lost what the one before knew. */
  positionIn(written: string | null | undefined): WalPosition | undefined {
    if (!this.areKept || !this.redis.hasBeenThereFor(this.keptMs)) return undefined;
    return (written as WalPosition | null | undefined) ?? WAL_START;
  }

  /** After whatever they wrote. One round trip to PostgreSQL, and one to Redis. */
  async note(agentId: string): Promise<void> {
    const position = await this.database.position().catch(() => WAL_UNKNOWN);
    await this.redis.run(NOTE_SCRIPT, this.keysOf(agentId), [position, this.keptMs]);
  }
}
