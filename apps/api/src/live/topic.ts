import { isUuid } from '#libs/database';

export type Topic =
  | { readonly kind: 'tickets' }
  | { readonly kind: 'ticket'; readonly number: number }
  | { readonly kind: 'presence'; readonly number: number }
  | { readonly kind: 'deliveries' }
  | { readonly kind: 'webhook' | 'mailbox'; readonly id: string }
  | { readonly kind: 'changes' };

export const CHANGES: Topic = { kind: 'changes' };

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
