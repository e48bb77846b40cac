import type { ReadMail } from '../inbound/read-mail.js';

/** What is drawn for the test stands at the end, since servers put words before a subject. */
export const testSubject = (email: string, token: string): string => `Test of ${email} [t.${token}]`;

const MARK = /\[t\.([0-9a-v]{16})\]$/;

/** A mailbox may be tested before it was ever connected, so such a mail is not taken for one that was there before. */
export const looksLikeTest = (subject: string): boolean => MARK.test(subject.trim());

/** What a mail says that would have to be drawn by us. An answer of a program to a test has its subject too, but names the test. */
export function testTokenIn({ subject, ancestors }: Pick<ReadMail, 'subject' | 'ancestors'>): string | null {
  return ancestors.length > 0 ? null : (MARK.exec(subject.trim())?.[1] ?? null);
}
