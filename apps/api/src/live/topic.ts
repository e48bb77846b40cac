import { isUuid } from '#libs/database';

/** What a page can watch. A topic has a fingerprint, which is compared with the previous one. */
export type Topic =
  | { readonly kind: 'tickets' }
  | { readonly kind: 'ticket'; readonly number: number }
  | { readonly kind: 'presence'; readonly number: number }
  | { readonly kind: 'deliveries' }
  | { readonly kind: 'webhook' | 'mailbox'; readonly id: string }
  | { readonly kind: 'changes' };

const MAX_TOPICS = 4;

export const CHANGES: Topic = { kind: 'changes' };

/** Reads `tickets ticket=12`, `webhook=<id>` or `mailbox=<id>`, and ignores everything else. */
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

export function topicKey(topic: Topic): string {
  if ('number' in topic) return `${topic.kind}=${topic.number}`;
  return 'id' in topic ? `${topic.kind}=${topic.id}` : topic.kind;
}
