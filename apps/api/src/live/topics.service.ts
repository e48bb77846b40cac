import { createHash } from 'node:crypto';
import { Clock, Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { readFingerprints } from './live.statements.js';
import { CHANGES, type Topic, topicKey } from './topic.js';

/** By topic. Every process computes the same ones. */
export type Fingerprints = ReadonlyMap<string, string>;

@Injectable()
export class TopicsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async fingerprints(accountId: string, topics: readonly Topic[]): Promise<Fingerprints> {
    const found = await readFingerprints(this.database.account(accountId), topics, this.clock.now());
    return new Map(topics.map(topicKey).map((key) => [key, found.get(key) ?? '']));
  }

  async version(accountId: string, topics: readonly Topic[]): Promise<string> {
    return versionOf(topics, await this.fingerprints(accountId, topics))!;
  }
}

/** The version that a client has seen whose latest change is this one. */
export const versionOfChanges = (latest: string): string =>
  versionOf([CHANGES], new Map([[topicKey(CHANGES), latest]]))!;

/** Undefined while the fingerprint of a topic is missing. */
export function versionOf(topics: readonly Topic[], fingerprints: Fingerprints): string | undefined {
  const keys = topics.map(topicKey).toSorted();
  if (!keys.every((key) => fingerprints.has(key))) return undefined;
  const parts = keys.map((key) => [key, fingerprints.get(key)]);
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
}
