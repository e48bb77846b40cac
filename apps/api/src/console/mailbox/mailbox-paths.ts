export const mailboxPath = (id: string): string => `/settings/mailboxes/${id}`;

/** The settings of IMAP, or what is done with them. */
export const imapPath = (id: string, action?: string): string =>
  `${mailboxPath(id)}/imap${action === undefined ? '' : `/${action}`}`;
