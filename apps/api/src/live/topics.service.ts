import { createHash } from 'node:crypto';
import { Clock, Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { askFingerprints } from './fingerprint.statements.js';
import { CHANGES, type Topic, topicKey } from './topic.js';

/** The count of an account's activities starts again after this time, so that it stays small. */
const WINDOW_MS = 10 * 60_000;
/** An older transaction may still commit activities with older ids. */
const LATE_COMMIT_MS = 60_000;

export type Fingerprints = ReadonlyMap<string, string>;

@Injectable()
export class TopicsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** One round trip for each kind of topic, side by side. Only fingerprints with the same `since` can be compared. */
  async fingerprints(accountId: string, topics: readonly Topic[], since: Date): Promise<Fingerprints> {
    const account = this.database.account(accountId);
    const found = await askFingerprints(account, topics, { since, now: this.clock.now() });
    const answers = new Map(found.map(({ topic, answer }) => [topic, answer ?? '']));
    return new Map(topics.map(topicKey).map((key) => [key, answers.get(key) ?? '']));
  }

  /** The same in every process, so that a page from one and a stream from another can be compared. */
  windowStart(): Date {
    return new Date(Math.floor(this.clock.now().getTime() / WINDOW_MS) * WINDOW_MS - LATE_COMMIT_MS);
  }

  /** What a page that watches these topics is drawn from, in a few characters. A round trip, or two side by side. */
  async version(accountId: string, topics: readonly Topic[]): Promise<string> {
    const since = this.windowStart();
    return versionOf(topics, since, await this.fingerprints(accountId, topics, since))!;
  }
}

/** The version that a page is drawn from when this is the latest change it was told of. */
export const versionOfChanges = (latest: string, since: Date): string =>
  versionOf([CHANGES], since, new Map([[topicKey(CHANGES), latest]]))!;

/** Nothing while the fingerprint of a topic is not known. */
export function versionOf(topics: readonly Topic[], since: Date, fingerprints: Fingerprints): string | undefined {
  const keys = topics.map(topicKey).toSorted();
  if (!keys.every((key) => fingerprints.has(key))) return undefined;
  const parts = keys.map((key) => [key, fingerprints.get(key)]);
  return createHash('sha256')
    .update(JSON.stringify([since, parts]))
    .digest('base64url')
    .slice(0, 16);
}
