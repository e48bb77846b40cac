import type { Settings } from '#libs/settings';

/**
 * Where mail of this installation goes: to a mail server, into a trial’s own keeping, or nowhere. What pages and the API say of
 * mail follows from this, and from nothing else.
 */
export type MailRoute = 'smtp' | 'caught' | 'none';

export function mailRoute({ SMTP_URL, CATCH_MAIL }: Pick<Settings, 'SMTP_URL' | 'CATCH_MAIL'>): MailRoute {
  if (SMTP_URL !== undefined) return 'smtp';
  return CATCH_MAIL ? 'caught' : 'none';
}
