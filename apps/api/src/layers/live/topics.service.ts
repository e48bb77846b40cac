import { isUuid, Clock, Database } from '#libs/database';
import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Topic, readFingerprints } from './live.statements.js';

/** Bounds the queries that one page can cause. */
const MAX_TOPICS = 4;

/** Parses `tickets ticket=12`, `webhook=<id>` or `mailbox=<id>`, and ignores everything else. */
export function parseTopics(watch: string): Topic[] {
  return watch.split(' ').flatMap(parseTopic).slice(0, MAX_TOPICS);
}

function parseTopic(word: string): Topic[] {
  const [name, value = ''] = word.split('=');
  if (name === 'tickets' || name === 'deliveries') return [{ kind: name }];
  if ((name === 'webhook' || name === 'mailbox') && isUuid(value)) return [{ kind: name, id: value.toLowerCase() }];
  if (name === 'ticket' && /^[1-9]\d{0,8}$/.test(value))
    return [
      { kind: 'ticket', number: Number(value) },
      { kind: 'presence', number: Number(value) },
    ];
  return [];
}

/** Topics by path. A page without an entry has no version and refreshes once after it opens. */
const WATCHED: readonly (readonly [RegExp, string])[] = [
  [/^\/(?:inbox|settings\/events)\/?$/, 'tickets'],
  [/^\/tickets\/(\d+)\/?$/, 'tickets ticket=$1'],
  [/^\/settings\/(?:webhooks|replays)\/?$/, 'deliveries'],
  [/^\/settings\/webhooks\/([\w-]{36})\/?$/, 'webhook=$1'],
  [/^\/settings\/mailboxes\/([\w-]{36})\/?$/, 'mailbox=$1'],
];

export function topicsOfPage(path: string): Topic[] {
  const found = WATCHED.find(([pattern]) => pattern.test(path));
  return found ? parseTopics(path.replace(found[0], found[1])) : [];
}

export function topicKey(topic: Topic): string {
  if ('number' in topic) return `${topic.kind}=${topic.number}`;
  return 'id' in topic ? `${topic.kind}=${topic.id}` : topic.kind;
}

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

/** The version that a client has seen whose latest record of the feed is this one. */
export const versionOfFeed = (topic: Topic, latest: string): string =>
  versionOf([topic], new Map([[topicKey(topic), latest]]))!;

/** Undefined while the fingerprint of a topic is missing. */
export function versionOf(topics: readonly Topic[], fingerprints: Fingerprints): string | undefined {
  const keys = topics.map(topicKey).toSorted();
  if (!keys.every((key) => fingerprints.has(key))) return undefined;
  const parts = keys.map((key) => [key, fingerprints.get(key)]);
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
}
