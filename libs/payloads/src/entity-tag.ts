import { createHash } from 'node:crypto';

/** A strong ETag: answers with the same tag have the same bytes. */
export const entityTagOf = (text: string): string =>
  `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;

export const entityTag = (body: object): string => entityTagOf(JSON.stringify(body));
