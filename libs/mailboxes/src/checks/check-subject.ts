import type { ParsedMail } from '../inbound/parse-mail.js';

/** At the end, since servers put words before a subject. */
export const checkSubject = (email: string, token: string): string => `Test of ${email} [t.${token}]`;

const TOKEN = /\[t\.([0-9a-v]{16})\]$/;

/** A check may come before the first connection to the server, and is not old mail. */
export const looksLikeCheck = (subject: string): boolean => TOKEN.test(subject.trim());

/** A program that replies to a check repeats its subject, but also names it as an ancestor. */
export function checkTokenIn({ subject, ancestors }: Pick<ParsedMail, 'subject' | 'ancestors'>): string | null {
  return ancestors.length > 0 ? null : (TOKEN.exec(subject.trim())?.[1] ?? null);
}
