import { type Topic, parseTopics } from './topic.js';

/** What the pages of the console watch, by their paths. A page that is not listed loads once more when it is open. */
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
